//! Study of the rules of a game by the values of all positions: how often each side wins, how long
//! games last, how often a single move is right, and which rules decide nothing.

use std::ops::{ControlFlow, Range};

use anser_core::hunt::{HuntIndex, MoveKind, Position};
use anser_core::{
    BySide, Dtw, Hunt, LayerIndex, Next, Observer, Outcome, ProbeLayer, Side, Value, orbit_members,
};
use anser_retrograde::parallel::{self, Buffers, CHUNK, ranges};
use anser_retrograde::{AnalyseError, RankedSet, Reachable};

/// The positions that a [`study`] visits.
#[derive(Clone, Copy)]
pub enum StudyScope<'a> {
    /// All positions of the game. The values have to be those of all its layers. With the reachable
    /// positions, these are surveyed apart as well.
    All(Option<&'a Reachable>),
    /// The reachable positions.
    Reachable(&'a Reachable),
}

/// The figures of a game, for all of its positions and for those that play can reach.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Study {
    /// All positions; `None` if they were not visited.
    pub all: Option<Survey>,
    /// The positions that play can reach; `None` if they are not known.
    pub reachable: Option<Survey>,
}

/// The figures of a set of positions; symmetric positions are counted separately.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Survey {
    /// By side to move.
    pub to_move: BySide<SideSurvey>,
    /// By winner: the longest win; `None` if the side wins no position.
    pub longest: BySide<Option<LongestWin>>,
    /// By end, in the order of [`Description::ends`](anser_core::hunt::Description::ends): the
    /// number of moves after which the game is over by it.
    pub ends: Vec<u64>,
}

/// The figures of the positions with one side to move.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SideSurvey {
    /// The number of positions that each side wins, by endless play too, those in which the game is
    /// over included.
    pub won: BySide<u64>,
    /// The number of drawn positions.
    pub drawn: u64,
    /// The number of positions in which the game is over.
    pub over: u64,
    /// The number of moves from all positions. A pass is a move.
    pub moves: u64,
    /// The number of positions in which the game goes on and exactly one move keeps the outcome. In
    /// a lost position every move does.
    pub one_right_move: u64,
    /// The number of positions in which the game goes on and there is exactly one move.
    pub one_move: u64,
    /// The number of moves by kind, in the order of [`MoveKind`].
    pub kinds: [u64; 5],
    /// The number of moves that capture more than one piece.
    pub chains: u64,
}

/// A win that takes the most plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LongestWin {
    /// The distance, in plies.
    pub plies: u16,
    /// A position with such a win.
    pub position: Position,
}

/// A rule without an effect in a set of positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IdleRule {
    /// After no move the game is over by this end; its number in
    /// [`Description::ends`](anser_core::hunt::Description::ends).
    End(usize),
    /// This side wins no position with best play.
    Winner(Side),
    /// This side may make moves of a kind, and never can. Only jumps, captures, and passes are
    /// reported.
    Moves(Side, MoveKind),
    /// This side may capture several pieces in one turn, and never can.
    Chain(Side),
}

impl SideSurvey {
    /// Returns the number of positions.
    pub fn positions(&self) -> u64 {
        self.won.as_array().iter().sum::<u64>() + self.drawn
    }

    /// Returns the number of positions in which the game goes on.
    pub fn in_play(&self) -> u64 {
        self.positions() - self.over
    }

    /// Returns the number of positions with this outcome.
    pub fn outcome(&self, outcome: Outcome) -> u64 {
        match outcome {
            Outcome::Win(side) => self.won[side],
            Outcome::Draw => self.drawn,
        }
    }

    /// Returns the mean number of moves of the positions in which the game goes on; `None` if there
    /// are none.
    pub fn mean_moves(&self) -> Option<f64> {
        (self.in_play() > 0).then(|| self.moves as f64 / self.in_play() as f64)
    }

    fn add(&mut self, other: &SideSurvey) {
        for (side, count) in other.won.iter() {
            self.won[side] += count;
        }
        self.drawn += other.drawn;
        self.over += other.over;
        self.moves += other.moves;
        self.one_right_move += other.one_right_move;
        self.one_move += other.one_move;
        self.kinds.iter_mut().zip(other.kinds).for_each(|(sum, count)| *sum += count);
        self.chains += other.chains;
    }
}

impl Survey {
    fn new(ends: usize) -> Survey {
        Survey { ends: vec![0; ends], ..Survey::default() }
    }

    /// Returns the number of positions.
    pub fn positions(&self) -> u64 {
        self.to_move.iter().map(|(_, side)| side.positions()).sum()
    }

    /// Returns the number of positions with this outcome, with either side to move.
    pub fn outcome(&self, outcome: Outcome) -> u64 {
        self.to_move.iter().map(|(_, side)| side.outcome(outcome)).sum()
    }

    /// Returns the rules of the game that have no effect in these positions; none if there are no
    /// positions.
    ///
    /// ```
    /// use anser_analyse::{IdleRule, StudyScope, study};
    /// use anser_core::{Hunt, Side, Unobserved};
    /// use anser_retrograde::{Limits, Reachable, Solution};
    ///
    /// let game = Hunt::hare_hounds("unlimited")?;
    /// let solution = Solution::of_layers(&game, game.layers(), &Limits::default())?;
    /// let all = study(&game, &solution, StudyScope::All(None), &Unobserved)?.all.expect("visited");
    /// // Every end is met somewhere, and both sides win somewhere.
    /// assert_eq!(all.idle_rules(&game), []);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn idle_rules(&self, game: &Hunt) -> Vec<IdleRule> {
        let description = game.description();
        let mut idle = Vec::new();
        if self.positions() == 0 {
            return idle;
        }
        idle.extend(Side::BOTH.into_iter().filter_map(|side| {
            (self.outcome(Outcome::Win(side)) == 0).then_some(IdleRule::Winner(side))
        }));
        let ends = self.ends.iter().enumerate();
        idle.extend(ends.filter(|(_, count)| **count == 0).map(|(end, _)| IdleRule::End(end)));
        for side in Side::BOTH {
            let (rules, survey) = (description.side(side), &self.to_move[side]);
            let kinds = [
                (MoveKind::Jump, !rules.jumps.is_empty()),
                (MoveKind::Capture, !rules.captures.is_empty()),
                (MoveKind::Pass, !description.blocked_loses(side)),
            ];
            for (kind, allowed) in kinds {
                if allowed && survey.kinds[kind as usize] == 0 {
                    idle.push(IdleRule::Moves(side, kind));
                }
            }
            let jumps = survey.kinds[MoveKind::Jump as usize] > 0;
            if rules.chain && jumps && survey.chains == 0 {
                idle.push(IdleRule::Chain(side));
            }
        }
        idle
    }

    /// Adds the figures of positions that follow these.
    fn join(mut self, next: &Survey) -> Survey {
        for (side, other) in next.to_move.iter() {
            self.to_move[side].add(other);
        }
        for (winner, &other) in next.longest.iter() {
            let own = &mut self.longest[winner];
            if other.map(|win| win.plies) > own.map(|win| win.plies) {
                *own = other;
            }
        }
        self.ends.iter_mut().zip(&next.ends).for_each(|(sum, count)| *sum += count);
        self
    }

    /// Adds `members` positions of a class. `member` returns one of them.
    fn add(&mut self, facts: &Facts, members: u64, member: impl FnOnce() -> Position) {
        let side = &mut self.to_move[facts.to_move];
        match facts.value.outcome {
            Outcome::Win(winner) => side.won[winner] += members,
            Outcome::Draw => side.drawn += members,
        }
        side.over += if facts.moves == 0 { members } else { 0 };
        side.moves += facts.moves * members;
        side.one_right_move += if facts.keeping == 1 { members } else { 0 };
        side.one_move += if facts.moves == 1 { members } else { 0 };
        for (sum, count) in side.kinds.iter_mut().zip(facts.kinds) {
            *sum += count * members;
        }
        side.chains += facts.chains * members;
        for &end in &facts.ends {
            self.ends[end] += members;
        }
        if let (Outcome::Win(winner), Some(plies)) = (facts.value.outcome, facts.value.plies)
            && self.longest[winner].is_none_or(|longest| longest.plies < plies)
        {
            self.longest[winner] = Some(LongestWin { plies, position: member() });
        }
    }
}

/// Facts that the members of a class share.
struct Facts {
    to_move: Side,
    value: Value,
    moves: u64,
    /// The number of moves that keep the outcome.
    keeping: u64,
    kinds: [u64; 5],
    chains: u64,
    /// The ends by which the game is over after moves from here.
    ends: Vec<usize>,
}

impl Facts {
    fn of<P: ProbeLayer + ?Sized>(
        game: &Hunt,
        probe: &P,
        position: &Position,
        value: Value,
    ) -> Result<Facts, P::Error> {
        let to_move = position.to_move();
        let others = position.pieces(to_move.other()).len();
        // Endless play may be won for a side.
        let value = Value { outcome: game.winner(value.outcome).into(), ..value };
        let mut facts = Facts {
            to_move,
            value,
            moves: 0,
            keeping: 0,
            kinds: [0; 5],
            chains: 0,
            ends: Vec::new(),
        };
        let flow = game.visit_successors(position, |kind, next| {
            let outcome = match &next {
                Next::End(end) => {
                    facts.ends.push(end.reason);
                    end.outcome
                }
                Next::Position(next) => match probe.value(next) {
                    Ok(value) => {
                        if value.plies == Some(0) {
                            facts.ends.extend(game.ending_number(next));
                        }
                        value.outcome
                    }
                    Err(error) => return ControlFlow::Break(error),
                },
            };
            facts.moves += 1;
            facts.keeping += u64::from(Outcome::from(game.winner(outcome)) == value.outcome);
            facts.kinds[kind as usize] += 1;
            let left = next.position().pieces(to_move.other()).len();
            facts.chains += u64::from(left + 1 < others);
            ControlFlow::Continue(())
        });
        if let ControlFlow::Break(error) = flow {
            return Err(error);
        }
        Ok(facts)
    }
}

/// A run of classes with one side to move.
struct Run<'a> {
    layer: u16,
    index: &'a HuntIndex,
    side: Side,
    /// The classes of the layer that are visited; `None` for all.
    classes: Option<&'a RankedSet>,
    /// Ranks, or slots in `classes`.
    part: Range<usize>,
}

/// Surveys the positions of a game in one pass, on all threads of the current Rayon pool.
///
/// ```
/// use anser_analyse::{StudyScope, study};
/// use anser_core::hexapawn::BoardSize;
/// use anser_core::{Hunt, Side, Unobserved};
/// use anser_retrograde::{Limits, Reachable, Solution};
///
/// let game = Hunt::hexapawn(BoardSize::THREE);
/// let limits = Limits::default();
/// let solution = Solution::of_layers(&game, game.layers(), &limits)?;
/// let reachable = Reachable::from(&game, &game.start(), &limits)?;
/// let study = study(&game, &solution, StudyScope::All(Some(&reachable)), &Unobserved)?;
/// let reached = study.reachable.expect("the reachable positions were given");
/// assert_eq!(reached.positions(), reachable.len());
/// // With best play black wins in at most six plies from a reachable position.
/// assert_eq!(reached.longest[Side::Second].map(|win| win.plies), Some(6));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Those of `probe`, and [`AnalyseError::Interrupted`] if the observer interrupts.
pub fn study<P>(
    game: &Hunt,
    probe: &P,
    scope: StudyScope<'_>,
    observer: &dyn Observer,
) -> Result<Study, P::Error>
where
    P: ProbeLayer<Error: Send + From<AnalyseError>> + Sync + ?Sized,
{
    let indexes: Vec<(u16, HuntIndex)> = match scope {
        StudyScope::All(_) => game.layers().map(|layer| (layer, game.index(layer))).collect(),
        StudyScope::Reachable(_) => Vec::new(),
    };
    let runs = runs(scope, &indexes);
    let reachable = match scope {
        StudyScope::All(reachable) => reachable,
        StudyScope::Reachable(reachable) => Some(reachable),
    };
    observer.begin("positions", runs.iter().map(|run| run.part.len() as u64).sum());
    let pass = Pass { game, probe, reachable };
    let buffers = Buffers::default();
    let survey = |run: &Run<'_>| {
        if observer.interrupted() {
            return Err(P::Error::from(AnalyseError::Interrupted));
        }
        let found = buffers.with(|codes| pass.survey(run, codes))?;
        observer.advance(run.part.len() as u64);
        Ok(found)
    };
    let join = |[a0, a1]: [Survey; 2], [b0, b1]: [Survey; 2]| [a0.join(&b0), a1.join(&b1)];
    let found = parallel::try_reduce(&runs, &survey, &join)?;
    let [all, reached] = found.unwrap_or_else(|| pass.begin());
    Ok(Study {
        all: matches!(scope, StudyScope::All(_)).then_some(all),
        reachable: reachable.map(|_| reached),
    })
}

/// Cuts the classes of layers into units of parallel work, the highest layer first.
fn runs<'a>(scope: StudyScope<'a>, indexes: &'a [(u16, HuntIndex)]) -> Vec<Run<'a>> {
    let mut runs = Vec::new();
    let mut add = |layer: u16, index: &'a HuntIndex, classes: Option<BySide<&'a RankedSet>>| {
        for side in Side::BOTH {
            let classes = classes.map(|classes| classes[side]);
            let len = classes.map_or(index.len(side) as usize, RankedSet::len);
            let parts = ranges(len, CHUNK);
            runs.extend(parts.map(|part| Run { layer, index, side, classes, part }));
        }
    };
    match scope {
        StudyScope::All(_) => {
            indexes.iter().rev().for_each(|(layer, index)| add(*layer, index, None));
        }
        StudyScope::Reachable(reachable) => {
            reachable.layers().rev().for_each(|it| add(it.number, it.index, Some(it.classes)));
        }
    }
    runs
}

/// A pass over positions, and the source of their values.
struct Pass<'a, P: ?Sized> {
    game: &'a Hunt,
    probe: &'a P,
    reachable: Option<&'a Reachable>,
}

impl<P: ProbeLayer + ?Sized> Pass<'_, P> {
    /// Returns the surveys of no positions.
    fn begin(&self) -> [Survey; 2] {
        [(); 2].map(|()| Survey::new(self.game.description().ends.len()))
    }

    /// Surveys the classes of a run: all of their positions, and the reachable ones.
    fn survey(&self, run: &Run<'_>, codes: &mut Vec<u16>) -> Result<[Survey; 2], P::Error> {
        let mut found = self.begin();
        if let Some(classes) = run.classes {
            for rank in classes.members(run.part.clone()) {
                self.add(&mut found, run, rank, 0, None)?;
            }
            return Ok(found);
        }
        codes.resize(run.part.len(), 0);
        let first = run.part.start as u64;
        self.probe.read_distances(run.layer, run.side, first, codes)?;
        for (rank, &code) in (first..).zip(&*codes) {
            let orbit = run.index.orbit(run.side, rank);
            // An entry that is no rank of a position has no value.
            if let (1.., Some(value)) = (orbit, Dtw::from_code(code)) {
                self.add(&mut found, run, rank, orbit, Some(value.into()))?;
            }
        }
        Ok(found)
    }

    /// Adds a class with `orbit` positions, or 0 if only the reachable ones are surveyed.
    fn add(
        &self,
        [all, reached]: &mut [Survey; 2],
        run: &Run<'_>,
        rank: u64,
        orbit: u64,
        value: Option<Value>,
    ) -> Result<(), P::Error> {
        let canonical = run.index.unrank(run.side, rank);
        let value = match value {
            Some(value) => value,
            None => self.probe.value(&canonical)?,
        };
        let facts = Facts::of(self.game, self.probe, &canonical, value)?;
        let member = |is_member: &dyn Fn(&Position) -> bool| {
            orbit_members(self.game, &canonical).into_iter().find(is_member).unwrap_or(canonical)
        };
        if orbit > 0 {
            all.add(&facts, orbit, || member(&|_| true));
        }
        if let Some(reachable) = self.reachable {
            let members = reachable.members(run.layer, run.side, rank);
            if members > 0 {
                reached.add(&facts, members, || member(&|position| reachable.contains(position)));
            }
        }
        Ok(())
    }
}
