#[derive(Clone, Copy)]
#[non_exhaustive]
pub enum Deep {
    Unit,
    Pair(u8, u8),
    Named { x: u8 },
}

impl std::fmt::Display for Deep {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("deep")
    }
}

pub const fn helper(mut x: u8) -> u8 {
    x += 1;
    x
}

struct Private;
