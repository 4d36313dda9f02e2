//! Instruction sets, chosen at run time.
//!
//! A [`Kernel`] has one source, in portable Rust. [`dispatch`] compiles it a second time with AVX2
//! enabled, where the compiler uses wider registers for the same loops. A kernel that needs
//! instructions which the compiler does not select by itself branches on [`Isa::LEVEL`], a
//! constant: each compiled copy keeps only its own branch.
//!
//! ```
//! use anser_retrograde::isa::{Isa, Kernel, Level, dispatch};
//!
//! /// Adds up words.
//! struct Sum<'a>(&'a [u64]);
//!
//! impl Kernel for Sum<'_> {
//!     type Output = u64;
//!
//!     #[inline(always)]
//!     fn run(self, _: impl Isa) -> u64 {
//!         self.0.iter().sum()
//!     }
//! }
//!
//! for level in Level::available() {
//!     assert_eq!(dispatch(level, Sum(&[1, 2, 3])), 6);
//! }
//! ```

use std::sync::OnceLock;

/// Proof that the processor has the instructions of a level.
///
/// Implemented for [`Portable`] instructions, AVX2, and AVX-512.
///
/// # Safety
/// A value of an implementing type exists only on processors that have the instructions of `LEVEL`.
pub unsafe trait Isa: Copy {
    /// The instructions that may be used.
    const LEVEL: Level;
}

/// The instructions that the program was compiled for.
#[derive(Clone, Copy, Debug)]
pub struct Portable;

// SAFETY: the program runs, so the processor has the instructions it was compiled for.
unsafe impl Isa for Portable {
    const LEVEL: Level = Level::Portable;
}

/// The processor has AVX2, BMI1, BMI2, POPCNT and LZCNT. Only [`dispatch`] makes one.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug)]
pub struct Avx2(());

// SAFETY: `dispatch` makes one only after it detected the instructions.
#[cfg(target_arch = "x86_64")]
unsafe impl Isa for Avx2 {
    const LEVEL: Level = Level::Avx2;
}

/// The processor has what [`Avx2`] has, and the subsets F, BW, VL and VBMI of AVX-512. Only
/// [`dispatch`] makes one.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug)]
pub struct Avx512(());

// SAFETY: `dispatch` makes one only after it detected the instructions.
#[cfg(target_arch = "x86_64")]
unsafe impl Isa for Avx512 {
    const LEVEL: Level = Level::Avx512;
}

/// The instruction sets that have code paths of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Portable Rust, as the program was compiled.
    Portable,
    /// Portable Rust in 256-bit registers.
    Avx2,
    /// As `Avx2`; [kernels that say so](Kernel::HAS_AVX512) call AVX-512 instructions themselves.
    Avx512,
}

impl Level {
    /// The levels that this processor has, slowest first.
    pub fn available() -> Vec<Level> {
        let mut levels = vec![Level::Portable];
        #[cfg(target_arch = "x86_64")]
        {
            let avx2 = is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("popcnt")
                && is_x86_feature_detected!("lzcnt");
            if avx2 {
                levels.push(Level::Avx2);
            }
            let avx512 = is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512vl")
                && is_x86_feature_detected!("avx512vbmi");
            if avx512 && levels.contains(&Level::Avx2) {
                levels.push(Level::Avx512);
            }
        }
        levels
    }

    /// The fastest level that this processor has.
    pub fn best() -> Level {
        static BEST: OnceLock<Level> = OnceLock::new();
        *BEST.get_or_init(|| Level::available().pop().unwrap_or(Level::Portable))
    }
}

/// Prefetches items that are read soon; meant for at most about 100 lines of the cache.
#[expect(clippy::inline_always, reason = "kernels are compiled for the instructions of a level")]
#[inline(always)]
pub fn prefetch<I: Isa, T>(_: I, items: &[T]) {
    #[cfg(target_arch = "x86_64")]
    if matches!(I::LEVEL, Level::Avx2 | Level::Avx512) {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        for line in items.chunks(64_usize.div_ceil(size_of::<T>().max(1))) {
            // SAFETY: a prefetch is a hint that never faults, and every processor with AVX2 has
            // the instruction.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(line.as_ptr().cast()) };
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = items;
}

/// A computation with inner loops that gain from wider registers.
pub trait Kernel {
    /// The result.
    type Output;
    /// Whether the kernel, or what it calls, has code of its own for AVX-512. Otherwise it runs
    /// with AVX2 there.
    const HAS_AVX512: bool = false;
    /// Runs the computation. Implementations are `#[inline(always)]`, and so is everything that
    /// their loops call.
    fn run(self, isa: impl Isa) -> Self::Output;
}

/// Runs a kernel with the instructions of a level.
///
/// # Panics
/// If the processor does not have the level.
pub fn dispatch<K: Kernel>(level: Level, kernel: K) -> K::Output {
    #[cfg(target_arch = "x86_64")]
    if level != Level::Portable {
        static AVAILABLE: OnceLock<Vec<Level>> = OnceLock::new();
        assert!(
            AVAILABLE.get_or_init(Level::available).contains(&level),
            "the processor has no {level:?}"
        );
        return match level {
            // SAFETY: the level is available, as was just asserted.
            Level::Avx512 if K::HAS_AVX512 => unsafe { run_avx2(kernel, Avx512(())) },
            // SAFETY: likewise; where there is AVX-512, there is AVX2. `Portable` does not get
            // here.
            _ => unsafe { run_avx2(kernel, Avx2(())) },
        };
    }
    debug_assert_eq!(level, Level::Portable);
    kernel.run(Portable)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
fn run_avx2<K: Kernel>(kernel: K, isa: impl Isa) -> K::Output {
    kernel.run(isa)
}
