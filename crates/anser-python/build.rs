//! Flags of the linker for extension modules, which some systems need.

fn main() {
    pyo3_build_config::add_extension_module_link_args();
}
