//! The modules of a library, read from its source, and the resolution of paths in them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use syn::{Attribute, Item, Meta, UseTree, Visibility};

/// A module, named by its path from the root of the crate: `["fox_geese", "index"]`.
pub(crate) type ModulePath = Vec<String>;

/// An item, by its module and name.
pub(crate) type ItemId = (ModulePath, String);

/// Target of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// All items of one name: a type and a function may share theirs.
    Item(ItemId),
    Module(ModulePath),
    /// Something of another crate.
    Foreign(String),
}

/// Name that a `use` declaration imports into a module, or all names of a module (`*`).
#[derive(Clone, Debug)]
pub(crate) struct Import {
    pub(crate) public: bool,
    pub(crate) path: Vec<String>,
    pub(crate) name: String,
    pub(crate) features: String,
}

pub(crate) struct Module {
    pub(crate) items: Vec<Item>,
    pub(crate) imports: Vec<Import>,
    /// The conditions under which the module is compiled, its parents' included.
    pub(crate) features: String,
}

/// All modules of a library except those of its tests.
pub(crate) struct Library {
    pub(crate) modules: BTreeMap<ModulePath, Module>,
}

/// Largest number of re-exports of re-exports that are followed.
const LONGEST_CHAIN: usize = 16;

impl Library {
    /// Reads the library whose root file is `root`.
    pub(crate) fn read(root: &Path) -> Result<Library, String> {
        let mut library = Library { modules: BTreeMap::new() };
        let items = parse(root)?;
        let dir = root.parent().unwrap_or(Path::new("")).to_owned();
        library.add(Vec::new(), items, &dir, String::new())?;
        Ok(library)
    }

    /// Adds a module whose submodules have their files in `dir`.
    fn add(
        &mut self,
        path: ModulePath,
        items: Vec<Item>,
        dir: &Path,
        features: String,
    ) -> Result<(), String> {
        let mut imports = Vec::new();
        let mut children = Vec::new();
        for item in &items {
            match item {
                Item::Use(item) if !is_test(&item.attrs) => {
                    let public = is_public(&item.vis);
                    flatten(
                        &item.tree,
                        &mut Vec::new(),
                        public,
                        &conditions(&item.attrs),
                        &mut imports,
                    );
                }
                Item::Mod(item) if !is_test(&item.attrs) => {
                    let name = item.ident.to_string();
                    let features = features.clone() + &conditions(&item.attrs);
                    let child_dir = dir.join(&name);
                    let inner = match &item.content {
                        Some((_, inner)) => inner.clone(),
                        None => parse(&file_of(dir, &name)?)?,
                    };
                    let mut child = path.clone();
                    child.push(name);
                    children.push((child, inner, child_dir, features));
                }
                _ => {}
            }
        }
        self.modules.insert(path, Module { items, imports, features });
        for (child, inner, dir, features) in children {
            self.add(child, inner, &dir, features)?;
        }
        Ok(())
    }

    /// Resolves a path in a module.
    pub(crate) fn resolve(&self, module: &[String], path: &[String]) -> Target {
        self.follow(module, path, LONGEST_CHAIN).unwrap_or_else(|| Target::Foreign(path.join("::")))
    }

    fn follow(&self, module: &[String], path: &[String], left: usize) -> Option<Target> {
        let (first, rest) = path.split_first()?;
        let start = match first.as_str() {
            "crate" => Target::Module(Vec::new()),
            "self" => Target::Module(module.to_vec()),
            "super" => Target::Module(module.split_last()?.1.to_vec()),
            name => self.look_up(module, name, left.checked_sub(1)?)?,
        };
        match (start, rest) {
            (start, []) => Some(start),
            (Target::Module(inner), rest) if rest[0] == "super" || rest[0] == "self" => {
                self.follow(&inner, rest, left)
            }
            (Target::Module(inner), [name]) => self.look_up(&inner, name, left.checked_sub(1)?),
            (Target::Module(inner), [name, ..]) => {
                let Target::Module(next) = self.look_up(&inner, name, left.checked_sub(1)?)? else {
                    return None;
                };
                let mut path = vec!["self".to_owned()];
                path.extend_from_slice(&rest[1..]);
                self.follow(&next, &path, left.checked_sub(1)?)
            }
            // A variant or an associated item resolves to its type.
            (item @ Target::Item(_), _) => Some(item),
            (Target::Foreign(start), rest) => {
                Some(Target::Foreign(format!("{start}::{}", rest.join("::"))))
            }
        }
    }

    fn look_up(&self, path: &[String], name: &str, left: usize) -> Option<Target> {
        let module = self.modules.get(path)?;
        if module.items.iter().any(|item| name_of(item).is_some_and(|found| found == name)) {
            return Some(Target::Item((path.to_vec(), name.to_owned())));
        }
        let mut child = path.to_vec();
        child.push(name.to_owned());
        if self.modules.contains_key(&child) {
            return Some(Target::Module(child));
        }
        if let Some(import) = module.imports.iter().find(|import| import.name == name) {
            // `use anser_core::Side` looks for a module `anser_core` first, and not for what it
            // brings in itself.
            if import.path.first().is_some_and(|first| first == name) && import.path.len() > 1 {
                return Some(Target::Foreign(import.path.join("::")));
            }
            return self
                .follow(path, &import.path, left)
                .or_else(|| Some(Target::Foreign(import.path.join("::"))));
        }
        for import in module.imports.iter().filter(|import| import.name == "*") {
            if let Some(Target::Module(inner)) = self.follow(path, &import.path, left)
                && inner != path
                && let Some(found) = self.look_up(&inner, name, left.checked_sub(1)?)
            {
                return Some(found);
            }
        }
        None
    }
}

fn parse(file: &Path) -> Result<Vec<Item>, String> {
    let text = fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
    let parsed = syn::parse_file(&text).map_err(|error| {
        let start = error.span().start();
        format!("{}:{}:{}: {error}", file.display(), start.line, start.column + 1)
    })?;
    Ok(parsed.items)
}

fn file_of(dir: &Path, name: &str) -> Result<PathBuf, String> {
    let candidates = [dir.join(format!("{name}.rs")), dir.join(name).join("mod.rs")];
    let found = candidates.iter().find(|file| file.is_file()).cloned();
    found.ok_or_else(|| format!("module {name} has no file in {}", dir.display()))
}

fn flatten(
    tree: &UseTree,
    path: &mut Vec<String>,
    public: bool,
    features: &str,
    found: &mut Vec<Import>,
) {
    let mut add = |path: &[String], name: String| {
        found.push(Import { public, path: path.to_vec(), name, features: features.to_owned() });
    };
    match tree {
        UseTree::Path(tree) => {
            path.push(tree.ident.to_string());
            flatten(&tree.tree, path, public, features, found);
            path.pop();
        }
        UseTree::Group(tree) => {
            for tree in &tree.items {
                flatten(tree, path, public, features, found);
            }
        }
        UseTree::Name(tree) if tree.ident == "self" => {
            add(path, path.last().cloned().unwrap_or_default());
        }
        UseTree::Name(tree) => {
            path.push(tree.ident.to_string());
            add(path, tree.ident.to_string());
            path.pop();
        }
        UseTree::Rename(tree) => {
            path.push(tree.ident.to_string());
            add(path, tree.rename.to_string());
            path.pop();
        }
        UseTree::Glob(_) => add(path, "*".into()),
    }
}

/// Returns the name of an item that can be exported by name.
pub(crate) fn name_of(item: &Item) -> Option<String> {
    let (attrs, ident) = match item {
        Item::Const(item) => (&item.attrs, &item.ident),
        Item::Enum(item) => (&item.attrs, &item.ident),
        Item::Fn(item) => (&item.attrs, &item.sig.ident),
        Item::Static(item) => (&item.attrs, &item.ident),
        Item::Struct(item) => (&item.attrs, &item.ident),
        Item::Trait(item) => (&item.attrs, &item.ident),
        Item::Type(item) => (&item.attrs, &item.ident),
        Item::Union(item) => (&item.attrs, &item.ident),
        _ => return None,
    };
    (!is_test(attrs)).then(|| ident.to_string())
}

pub(crate) fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

/// Whether an item is compiled for tests alone, or hidden from the documentation.
pub(crate) fn is_test(attrs: &[Attribute]) -> bool {
    let words = |attr: &Attribute| match &attr.meta {
        Meta::List(list) => list.tokens.to_string(),
        _ => String::new(),
    };
    attrs.iter().any(|attr| {
        attr.path().is_ident("cfg") && ["test", "doctest"].contains(&words(attr).as_str())
            || attr.path().is_ident("doc") && words(attr) == "hidden"
    })
}

/// Returns the conditions of an item, as they are listed before it.
pub(crate) fn conditions(attrs: &[Attribute]) -> String {
    attrs
        .iter()
        .filter(|attr| attr.path().is_ident("cfg"))
        .filter_map(
            |attr| if let Meta::List(list) = &attr.meta { Some(&list.tokens) } else { None },
        )
        .flat_map(|tokens| {
            [
                "#[cfg(".to_owned(),
                tokens.to_string().replace(" (", "(").replace(" ,", ","),
                ")] ".to_owned(),
            ]
        })
        .collect()
}
