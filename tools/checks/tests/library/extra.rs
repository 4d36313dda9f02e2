pub struct Extra(pub u8, u8);

impl Extra {
    pub const ONE: u8 = 1;
}
