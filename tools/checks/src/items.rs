//! Public items as lines of text.

use std::fmt::Display;

use syn::spanned::Spanned;
use syn::{
    Attribute, Fields, GenericParam, Generics, ImplItem, Item, ItemImpl, Meta, Signature,
    TraitItem, Visibility,
};

use crate::source::{conditions, is_public, is_test};

/// Lines of an item: its head, and its public members.
#[derive(Clone, Debug, Default)]
pub(crate) struct Entry {
    pub(crate) head: String,
    pub(crate) members: Vec<String>,
}

/// Describes a public item under the path that its users write; `None` if it is private.
pub(crate) fn describe(item: &Item, path: &str) -> Option<Entry> {
    let public =
        |visibility: &Visibility, attrs: &[Attribute]| is_public(visibility) && !is_test(attrs);
    let entry = match item {
        Item::Const(item) if public(&item.vis, &item.attrs) => {
            head(&item.attrs, format!("const {path}: {}", source(&item.ty)))
        }
        Item::Static(item) if public(&item.vis, &item.attrs) => {
            head(&item.attrs, format!("static {path}: {}", source(&item.ty)))
        }
        Item::Fn(item) if public(&item.vis, &item.attrs) => {
            head(&item.attrs, signature(&item.sig, path))
        }
        Item::Type(item) if public(&item.vis, &item.attrs) => head(
            &item.attrs,
            format!("type {path}{} = {}", generics(&item.generics), source(&item.ty)),
        ),
        Item::Struct(item) if public(&item.vis, &item.attrs) => {
            let mut entry = head(&item.attrs, format!("struct {path}{}", generics(&item.generics)));
            entry.members.extend(fields(&item.fields, false));
            entry.members.extend(derives(&item.attrs));
            entry
        }
        Item::Union(item) if public(&item.vis, &item.attrs) => {
            let mut entry = head(&item.attrs, format!("union {path}{}", generics(&item.generics)));
            entry.members.extend(fields(&Fields::Named(item.fields.clone()), false));
            entry.members.extend(derives(&item.attrs));
            entry
        }
        Item::Enum(item) if public(&item.vis, &item.attrs) => {
            let mut entry = head(&item.attrs, format!("enum {path}{}", generics(&item.generics)));
            for variant in item.variants.iter().filter(|variant| !is_test(&variant.attrs)) {
                let inner = fields(&variant.fields, true).join(", ");
                let text = match &variant.fields {
                    Fields::Unit => variant.ident.to_string(),
                    Fields::Named(_) => format!("{} {{ {inner} }}", variant.ident),
                    Fields::Unnamed(_) => format!("{}({inner})", variant.ident),
                };
                entry.members.push(format!("{}{text}", marks(&variant.attrs)));
            }
            entry.members.extend(derives(&item.attrs));
            entry
        }
        Item::Trait(item) if public(&item.vis, &item.attrs) => {
            let supertraits = item.supertraits.iter().map(source).collect::<Vec<_>>().join(" + ");
            let colon = if supertraits.is_empty() { "" } else { ": " };
            let unsafety = if item.unsafety.is_some() { "unsafe " } else { "" };
            let text =
                format!("{unsafety}trait {path}{}{colon}{supertraits}", generics(&item.generics));
            let mut entry = head(&item.attrs, text);
            entry.members.extend(item.items.iter().filter_map(trait_member));
            entry
        }
        _ => return None,
    };
    Some(entry)
}

fn trait_member(item: &TraitItem) -> Option<String> {
    let provided = |provided: bool| if provided { " (provided)" } else { "" };
    match item {
        TraitItem::Const(item) if !is_test(&item.attrs) => {
            let end = provided(item.default.is_some());
            Some(format!("{}const {}: {}{end}", marks(&item.attrs), item.ident, source(&item.ty)))
        }
        TraitItem::Fn(item) if !is_test(&item.attrs) => {
            let text = signature(&item.sig, &item.sig.ident.to_string());
            Some(format!("{}{text}{}", marks(&item.attrs), provided(item.default.is_some())))
        }
        TraitItem::Type(item) if !is_test(&item.attrs) => {
            let bounds = item.bounds.iter().map(source).collect::<Vec<_>>().join(" + ");
            let colon = if bounds.is_empty() { "" } else { ": " };
            Some(format!(
                "{}type {}{}{colon}{bounds}",
                marks(&item.attrs),
                item.ident,
                generics(&item.generics)
            ))
        }
        _ => None,
    }
}

/// Returns the lines that an `impl` block adds to its type: public members of an inherent block, or
/// the trait.
pub(crate) fn implementation(block: &ItemImpl) -> Vec<String> {
    let conditions = conditions(&block.attrs);
    if let Some((path, _)) = &block.trait_ {
        let types: Vec<String> = block
            .items
            .iter()
            .filter_map(|item| if let ImplItem::Type(item) = item { Some(item) } else { None })
            .map(|item| format!("{} = {}", item.ident, source(&item.ty)))
            .collect();
        let types =
            if types.is_empty() { String::new() } else { format!(" ({})", types.join(", ")) };
        let of = format!("{} for {}", source(path), source(&block.self_ty));
        return vec![format!(
            "{conditions}impl{} {of}{}{types}",
            parameters(&block.generics),
            bounds(&block.generics)
        )];
    }
    let members = block.items.iter().filter_map(|item| match item {
        ImplItem::Const(item) if is_public(&item.vis) && !is_test(&item.attrs) => {
            Some(format!("{}const {}: {}", marks(&item.attrs), item.ident, source(&item.ty)))
        }
        ImplItem::Fn(item) if is_public(&item.vis) && !is_test(&item.attrs) => Some(format!(
            "{}{}",
            marks(&item.attrs),
            signature(&item.sig, &item.sig.ident.to_string())
        )),
        _ => None,
    });
    // The bounds of the block apply to each of its members.
    let own = bounds(&block.generics);
    let own =
        if own.is_empty() { own } else { format!(" [impl{}{own}]", parameters(&block.generics)) };
    members.map(|member| format!("{conditions}{member}{own}")).collect()
}

fn head(attrs: &[Attribute], text: impl Display) -> Entry {
    Entry { head: format!("{}{text}", marks(attrs)), members: Vec::new() }
}

/// Attributes that are part of the interface.
fn marks(attrs: &[Attribute]) -> String {
    let mut text = conditions(attrs);
    for attr in attrs {
        for name in ["non_exhaustive", "deprecated", "must_use"] {
            if attr.path().is_ident(name) {
                text.extend(["#[", name, "] "]);
            }
        }
        if attr.path().is_ident("repr") {
            text += &(source(attr) + " ");
        }
    }
    text
}

fn fields(fields: &Fields, all: bool) -> Vec<String> {
    let mut private = 0;
    let mut lines = Vec::new();
    for field in fields {
        if !all && !is_public(&field.vis) {
            private += 1;
            continue;
        }
        let visibility = if all { "" } else { "pub " };
        let name = field.ident.as_ref().map_or(String::new(), |ident| format!("{ident}: "));
        lines.push(format!("{visibility}{name}{}", source(&field.ty)));
    }
    if private > 0 {
        lines.push("private fields".into());
    }
    lines
}

fn derives(attrs: &[Attribute]) -> Vec<String> {
    let mut traits = Vec::new();
    for attr in attrs.iter().filter(|attr| attr.path().is_ident("derive")) {
        if let Meta::List(list) = &attr.meta {
            traits.extend(list.tokens.to_string().split(',').map(|name| name.replace(' ', "")));
        }
    }
    traits.retain(|name| !name.is_empty());
    traits.sort();
    if traits.is_empty() { Vec::new() } else { vec![format!("derive {}", traits.join(", "))] }
}

fn signature(sig: &Signature, path: &str) -> String {
    let mut text = String::new();
    for (present, word) in
        [(sig.constness.is_some(), "const "), (sig.asyncness.is_some(), "async ")]
    {
        text += if present { word } else { "" };
    }
    let safety = source(&sig.safety);
    if !safety.is_empty() {
        text += &(safety + " ");
    }
    let inputs: Vec<String> = sig
        .inputs
        .iter()
        .map(|input| source(input).trim_start_matches("mut ").to_owned())
        .collect();
    let output = source(&sig.output);
    let output = if output.is_empty() { output } else { format!(" {output}") };
    text + &format!(
        "fn {path}{}({}){output}{}",
        parameters(&sig.generics),
        inputs.join(", "),
        sig.generics
            .where_clause
            .as_ref()
            .map_or(String::new(), |clause| format!(" {}", source(clause)))
    )
}

fn generics(generics: &Generics) -> String {
    let clause = generics
        .where_clause
        .as_ref()
        .map_or(String::new(), |clause| format!(" {}", source(clause)));
    parameters(generics) + &clause
}

fn parameters(generics: &Generics) -> String {
    if generics.params.is_empty() {
        return String::new();
    }
    format!("<{}>", generics.params.iter().map(source).collect::<Vec<_>>().join(", "))
}

/// Returns the bounds of the parameters of an `impl` block, if any.
fn bounds(generics: &Generics) -> String {
    let bounded = generics
        .params
        .iter()
        .any(|param| matches!(param, GenericParam::Type(param) if !param.bounds.is_empty()));
    match &generics.where_clause {
        Some(clause) => format!(" {}", source(clause)),
        None if bounded => " ".into(),
        None => String::new(),
    }
    .trim_end()
    .to_owned()
}

/// Returns the source text of a piece of syntax on one line.
fn source(piece: &impl Spanned) -> String {
    let text = piece.span().source_text().unwrap_or_default();
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let tidy = [
        ("( ", "("),
        (" )", ")"),
        (",)", ")"),
        ("< ", "<"),
        (", >", ">"),
        ("[ ", "["),
        (" ]", "]"),
        (" .", "."),
    ];
    let mut line = tidy.iter().fold(line, |line, (from, to)| line.replace(from, to));
    if line.ends_with(',') {
        line.pop();
    }
    line
}
