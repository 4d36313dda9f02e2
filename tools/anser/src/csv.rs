//! Answers as comma-separated values.

use crate::failure::Failure;

/// A table with a header line.
#[derive(Debug)]
pub(crate) struct CsvTable {
    /// The header, and the rows.
    lines: Vec<Vec<String>>,
}

impl CsvTable {
    /// A table without rows.
    pub(crate) fn new<C: Into<String>>(head: impl IntoIterator<Item = C>) -> CsvTable {
        CsvTable { lines: vec![head.into_iter().map(Into::into).collect()] }
    }

    /// Adds a row, with a cell for each column.
    pub(crate) fn row<C: Into<String>>(&mut self, cells: impl IntoIterator<Item = C>) {
        let cells: Vec<String> = cells.into_iter().map(Into::into).collect();
        debug_assert_eq!(cells.len(), self.lines[0].len(), "a cell for each column");
        self.lines.push(cells);
    }

    /// Returns the table as text, with its header or without.
    pub(crate) fn text(&self, has_head: bool) -> Result<String, Failure> {
        let failed = |error: &dyn std::fmt::Display| {
            Failure::io(format!("writing the table failed: {error}"))
        };
        let mut writer = csv::Writer::from_writer(Vec::new());
        for line in self.lines.iter().skip(usize::from(!has_head)) {
            writer.write_record(line).map_err(|error| failed(&error))?;
        }
        let bytes = writer.into_inner().map_err(|error| failed(&error))?;
        String::from_utf8(bytes).map_err(|error| failed(&error))
    }
}

/// A cell with a number, empty if there is none.
pub(crate) fn or_empty(number: Option<impl ToString>) -> String {
    number.map_or_else(String::new, |number| number.to_string())
}

#[cfg(test)]
mod tests {
    use super::{CsvTable, or_empty};

    #[test]
    fn cells_are_quoted_where_needed_and_the_header_may_be_left_out() {
        let mut table = CsvTable::new(["layer", "line"]);
        table.row(["4", "a1-b1 c1xd1, and on"]);
        table.row([or_empty(None::<u16>), or_empty(Some(7))]);
        assert_eq!(table.text(true).unwrap(), "layer,line\n4,\"a1-b1 c1xd1, and on\"\n,7\n");
        assert_eq!(table.text(false).unwrap(), "4,\"a1-b1 c1xd1, and on\"\n,7\n");
    }
}
