//! Prints the printed figures that are not the true ones, with the reasons:
//! `cargo run -p anser-reproduce --example figures`.

use anser_reproduce::{Document, Options, ReproduceError, Verdict, reproduce};
use anser_retrograde::Limits;

fn main() -> Result<(), ReproduceError> {
    for document in Document::ALL {
        let found = reproduce(document, &Options::default(), &Limits::default())?;
        println!(
            "{}: {} figures, {} of them fail",
            document.title(),
            found.rows.len(),
            found.failures().count()
        );
        let differ =
            |verdict| matches!(verdict, Verdict::DiffersAsKnown | Verdict::Kept { agrees: false });
        for row in found.rows.iter().filter(|row| differ(row.verdict)) {
            let (entry, subject) = (&row.entry, &row.entry.subject);
            let figure = row.computed.as_ref().or(row.kept.as_ref()).unwrap_or(&entry.truth);
            print!("  {} of {} ({})", entry.figure, subject.game(), subject.rules());
            if let Some(geese) = entry.layer {
                print!(", {geese} geese");
            }
            println!(": printed {}, computed {figure}", entry.printed);
            if let Some(reason) = &entry.reason {
                println!("    {reason}");
            }
        }
    }
    Ok(())
}
