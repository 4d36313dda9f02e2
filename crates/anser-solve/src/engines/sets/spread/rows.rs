//! Values on their way between ranks, and between ranks and entries of tables.

use std::collections::HashMap;
use std::ops::Range;

use anser_retrograde::parallel;

use super::arrangements::Arrangements;
use super::part::{End, Part};
use crate::SolveError;
use crate::cluster::Cluster;
use crate::engines::sets::layout::PADDING;
use crate::engines::sets::scores::WholeScore;

/// Values of the orbits that are moved at a time, unless one has more.
const AT_A_TIME: usize = 1 << 22;

/// Entries that a thread converts at a time.
const CONVERTED: usize = 1 << 16;

/// Most orbits that are moved at a time.
const MOST_AT_A_TIME: usize = 64;

impl<'a> Part<'a> {
    /// Returns the number of orbits to move at a time; the same on all ranks.
    pub(super) fn at_a_time(layer: &Arrangements) -> usize {
        let entries = layer.entries.iter().map(|entries| (entries.end - entries.start) as usize);
        (AT_A_TIME / entries.max().unwrap_or(1).max(1)).clamp(1, MOST_AT_A_TIME)
    }

    /// Returns the number of ranks that read orbits of a layer at a time, the same on all ranks:
    /// what they read and send is to be less than the values that a rank has of the layer.
    pub(super) fn readers(&self, layer: &Arrangements) -> usize {
        let ranks = self.cluster.size();
        (layer.few.len() / (4 * ranks)).clamp(1, ranks)
    }

    /// Returns all values of an orbit, from those of its entries.
    pub(super) fn of_entries<S: WholeScore>(
        &self,
        layer: &Arrangements,
        orbit: usize,
        entries: &[S],
    ) -> Vec<S> {
        let whole = layer.whole(&self.lows, orbit);
        let few = layer.few[orbit];
        let patterns: Vec<u32> = (0..1 << self.lows.parts.separator).collect();
        let mut values = Vec::new();
        values.resize_with(layer.sum(orbit, &patterns), S::Shared::default);
        // Where a class has one entry, its value is also that of its images.
        let fixing: Vec<_> = if layer.has_all_sets() {
            Vec::new()
        } else {
            self.images[1..].iter().filter(|image| image.of(few) == few).collect()
        };
        let chunks = (layer.entries[orbit].start..).step_by(CONVERTED);
        parallel::for_each(chunks.zip(entries.chunks(CONVERTED)), &|(first, entries)| {
            let mut entry = entries.iter();
            let range = first..first + entries.len() as u64;
            layer.for_each_set(&self.rules.order, orbit, range, |set| {
                let &value = entry.next().expect("a value for each entry");
                let store = |set| value.store(&values[whole.place(set)]);
                store(set);
                for image in &fixing {
                    store(image.of(set));
                }
            });
        });
        // In the same memory.
        values.into_iter().map(S::load).collect()
    }

    /// Gives the values of orbits to the ranks that need them. `lists` has the orbits that each
    /// rank has, `values` all values of those of this rank, and `needs` the patterns that each rank
    /// needs. Returns the values with the patterns that this rank needs, by orbit.
    ///
    /// # Errors
    /// The error of this rank or of another one.
    pub(super) fn deal<S: WholeScore>(
        &self,
        layer: &Arrangements,
        lists: &[Vec<usize>],
        values: Result<Vec<Vec<S>>, SolveError>,
        needs: &[Vec<u32>],
    ) -> Result<Dealt<S>, SolveError> {
        let rank = self.cluster.rank();
        let values = self.check(values)?;
        let len = |orbits: &[usize], needs: &[u32]| -> usize {
            orbits.iter().map(|&orbit| layer.sum(orbit, needs)).sum()
        };
        // Those of this rank are padded where they are.
        let empty = |needs: &Vec<u32>| Vec::with_capacity(len(&lists[rank], needs) + PADDING);
        let mut packed: Vec<Vec<S>> = needs.iter().map(empty).collect();
        for (&orbit, values) in lists[rank].iter().zip(&values) {
            let starts = self.pattern_starts(layer, orbit);
            for (packed, needs) in packed.iter_mut().zip(needs) {
                for &pattern in needs {
                    let pattern = pattern as usize;
                    packed.extend_from_slice(&values[starts[pattern]..starts[pattern + 1]]);
                }
            }
        }
        drop(values);
        let buffers = self.swap(packed, |from| len(&lists[from], &needs[rank]));
        let mut places = HashMap::new();
        for (from, orbits) in lists.iter().enumerate() {
            let mut start = 0;
            for &orbit in orbits {
                let end = start + layer.sum(orbit, &needs[rank]);
                places.insert(orbit, (from, start..end));
                start = end;
            }
        }
        Ok(Dealt { buffers, places })
    }

    /// Sends a message to each rank, and receives one of each with the length that `len` names,
    /// padded.
    fn swap<S: WholeScore>(
        &self,
        mut send: Vec<Vec<S>>,
        len: impl Fn(usize) -> usize,
    ) -> Vec<Vec<S>> {
        let rank = self.cluster.rank();
        let mut own = std::mem::take(&mut send[rank]);
        own.resize(own.len() + PADDING, S::default());
        let empty = |from: usize| {
            let len = if from == rank { 0 } else { len(from) + PADDING };
            vec![S::default(); len]
        };
        let mut received: Vec<Vec<S>> = (0..self.cluster.size()).map(empty).collect();
        let others = send.iter().enumerate().filter(|(_, values)| !values.is_empty());
        let send: Vec<(usize, &[S])> = others.map(|(to, values)| (to, &values[..])).collect();
        let others = received.iter_mut().enumerate().filter(|(_, values)| values.len() > PADDING);
        let mut receive: Vec<(usize, &mut [S])> = others
            .map(|(from, values)| {
                let len = values.len() - PADDING;
                (from, &mut values[..len])
            })
            .collect();
        self.exchange(&send, &mut receive, &mut || {});
        received[rank] = own;
        received
    }

    /// Returns the first place of each pattern among all values of an orbit, and the end.
    fn pattern_starts(&self, layer: &Arrangements, orbit: usize) -> Vec<usize> {
        let mut starts = vec![0];
        for pattern in 0..1 << self.lows.parts.separator {
            starts.push(starts[pattern as usize] + layer.sets(orbit, pattern));
        }
        starts
    }

    /// Collects values of the layer by entries of the table: of each rank those that `wanted` has
    /// for it.
    pub(super) fn collect<'p, S: WholeScore>(
        &'p self,
        values: &'p [S],
        wanted: Vec<Range<u64>>,
    ) -> Collect<'p, 'a, S> {
        let overlap = |wanted: &Range<u64>| {
            let entries = self.layer.entries.iter();
            let is_wanted =
                |entries: &Range<u64>| entries.start < wanted.end && wanted.start < entries.end;
            let orbits = entries.enumerate().filter(|(_, entries)| is_wanted(entries));
            orbits.map(|(orbit, _)| orbit).collect()
        };
        let lists = wanted.iter().map(overlap).collect();
        Collect { part: self, values, wanted, lists, done: 0 }
    }

    /// Fails if this rank has failed, or another one; see [`agree`].
    pub(super) fn check<T>(&self, result: Result<T, SolveError>) -> Result<T, SolveError> {
        agree(self.cluster, result)
    }
}

/// Fails if this rank has failed, or another one.
///
/// # Errors
/// The error of the lowest rank that failed, on that rank, and [`SolveError::Rank`] on the others;
/// or else, if one was interrupted, [`SolveError::Interrupted`].
pub(crate) fn agree<T>(
    cluster: &dyn Cluster,
    result: Result<T, SolveError>,
) -> Result<T, SolveError> {
    let end = match &result {
        Ok(_) => End::Done,
        Err(SolveError::Interrupted) => End::Interrupted,
        Err(_) => End::Failed,
    };
    let ends = cluster.gather(&[end as u64]);
    let first = |end: End| ends.iter().position(|&of_rank| of_rank == end as u64);
    match (first(End::Failed), first(End::Interrupted)) {
        (Some(rank), _) if rank != cluster.rank() => Err(SolveError::Rank { rank }),
        (None, Some(_)) => Err(SolveError::Interrupted),
        _ => result,
    }
}

/// Values that are collected; see [`Part::collect`]. All ranks take as many items.
pub(super) struct Collect<'p, 'a, S> {
    part: &'p Part<'a>,
    values: &'p [S],
    wanted: Vec<Range<u64>>,
    /// By rank: the orbits with wanted entries.
    lists: Vec<Vec<usize>>,
    done: usize,
}

impl<S: WholeScore> Iterator for Collect<'_, '_, S> {
    /// The values of the next wanted entries of this rank.
    type Item = Vec<S>;

    fn next(&mut self) -> Option<Vec<S>> {
        let Collect { part, values, ref wanted, ref lists, done } = *self;
        let layer = &part.layer;
        let at_a_time = Part::at_a_time(layer);
        if lists.iter().all(|orbits| orbits.len() <= done) {
            return None;
        }
        self.done += at_a_time;
        let now = |rank: usize| lists[rank].iter().skip(done).take(at_a_time).copied();
        let rank = part.cluster.rank();
        let own = |to: usize| {
            let orbits = now(to).map(|orbit| &values[part.starts[orbit]..part.starts[orbit + 1]]);
            orbits.collect::<Vec<_>>().concat()
        };
        let send = (0..part.cluster.size()).map(own).collect();
        let len = |from: usize| now(rank).map(|orbit| layer.sum(orbit, &part.owned[from])).sum();
        let received = part.swap(send, len);
        let mut at = vec![0; received.len()];
        let mut to_pick = Vec::new();
        for orbit in now(rank) {
            let first = at.clone();
            for (from, at) in at.iter_mut().enumerate() {
                *at += layer.sum(orbit, &part.owned[from]);
            }
            to_pick.push((orbit, first));
        }
        let wanted = &wanted[rank];
        let picked = parallel::map(to_pick, &|(orbit, mut at)| {
            let starts = part.pattern_starts(layer, orbit);
            let mut all = Vec::with_capacity(starts[starts.len() - 1]);
            for pattern in 0..starts.len() - 1 {
                let owner = part.shares.owner(pattern as u32);
                let sets = starts[pattern + 1] - starts[pattern];
                all.extend_from_slice(&received[owner][at[owner]..at[owner] + sets]);
                at[owner] += sets;
            }
            let entries = &layer.entries[orbit];
            let entries = entries.start.max(wanted.start)..entries.end.min(wanted.end);
            let whole = layer.whole(&part.lows, orbit);
            let chunks = entries.clone().step_by(CONVERTED);
            parallel::map(chunks, &|first| {
                let chunk = first..entries.end.min(first + CONVERTED as u64);
                let mut picked = Vec::with_capacity(CONVERTED);
                layer.for_each_set(&part.rules.order, orbit, chunk, |set| {
                    picked.push(all[whole.place(set)]);
                });
                picked
            })
            .concat()
        });
        Some(picked.concat())
    }
}

/// Values of orbits that other ranks gave to this one.
pub(super) struct Dealt<S> {
    /// By sender, padded.
    buffers: Vec<Vec<S>>,
    /// By orbit: the sender, and the place of the values.
    places: HashMap<usize, (usize, Range<usize>)>,
}

impl<S> Dealt<S> {
    /// Returns the values of an orbit, and more behind them; `None` if the orbit was not dealt.
    pub(super) fn padded(&self, orbit: usize) -> Option<&[S]> {
        let (from, values) = self.places.get(&orbit)?;
        Some(&self.buffers[*from][values.start..])
    }

    /// Returns the values of all orbits.
    pub(super) fn iter(&self) -> impl Iterator<Item = (usize, &[S])> {
        let places = self.places.iter();
        places.map(|(orbit, (from, values))| (*orbit, &self.buffers[*from][values.clone()]))
    }
}
