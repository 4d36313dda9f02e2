//! The figures of `anser-analyse::study`, and the chances of sides that err, compared with plain
//! loops over the positions of the plain program.

use std::collections::{BTreeMap, HashSet, VecDeque};
use std::path::Path;

use anser_analyse::{
    Chances, ErringPlay, Errs, IdleRule, StudyScope, Survey, Zugzwangs, opposite, stalemates,
    study, zugzwangs, zugzwangs_of_layer,
};
use anser_core::hunt::{Condition, MoveKind};
use anser_core::{BySide, Dtw, Hunt, Side, Unobserved};
use anser_games::{Registry, parse_file, read_file};
use anser_oracle::{Game as _, Graph, hunt, plain};
use anser_retrograde::{Limits, Reachable, Solution};

fn of(side: anser_oracle::Side) -> Side {
    Side::BOTH[side as usize]
}

/// The games of `data/hunts` under all rule sets, and small games of the program.
fn games() -> Vec<Hunt> {
    let mut games = Vec::new();
    for name in ["triangle", "placing"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/hunts");
        let info = read_file(&path.join(format!("{name}.toml"))).expect("the file is right");
        let rules = info.rule_sets.iter();
        games.extend(rules.map(|rules| info.make("", &rules.id).expect("a rule set of the game")));
    }
    let named = [
        ("hexapawn:3x3", "standard"),
        ("hare-hounds", "budget-5"),
        ("hare-hounds", "unlimited"),
        ("fox-hounds:4", "escape"),
    ];
    let registry = Registry::standard();
    let named = named.map(|(name, rules)| registry.game(name, Some(rules)).expect("a game"));
    games.extend(named);
    // Chains of jumps, which cannot occur with a single jump, and passes.
    for jumps in [1, usize::MAX] {
        let mut description = games[0].description().clone();
        description.rules = "chain".into();
        description.sides[0].chain = true;
        description.sides[0].jumps.truncate(jumps);
        let is_blocked = |condition: &Condition| matches!(condition, Condition::Blocked(_));
        description.ends.retain(|end| !is_blocked(&end.condition));
        games.push(Hunt::new(description).expect("a right description"));
    }
    games
}

/// A game as the plain program has it.
struct Plain {
    game: hunt::Hunt,
    graph: Graph<hunt::Position>,
    values: Vec<plain::Value>,
    /// By position and move: the move in notation, and the number of the position after it.
    moves: Vec<Vec<(String, usize)>>,
    /// By position: whether it is one of the game. The others are what captures that end the game
    /// lead to.
    is_position: Vec<bool>,
    start: usize,
}

impl Plain {
    fn new(game: &Hunt) -> Plain {
        let plain = hunt::Hunt::read(&game.description().to_string());
        let mut positions = plain.arrangements();
        positions.retain(|position| game.parse_position(&plain.notation(position)).is_ok());
        let all = positions.len();
        let graph = Graph::of(&plain, positions);
        let values = graph.values_by_rounds();
        let mut moves = Vec::new();
        for (at, position) in graph.positions.iter().enumerate() {
            let next = graph.next(at);
            let named = if next.clone().count() == 0 { Vec::new() } else { plain.moves(position) };
            moves.push(named.into_iter().map(|(mv, _)| mv.to_string()).zip(next).collect());
        }
        // A layer in which the game is over everywhere is none.
        let is_in_layer = |at: usize| {
            let read = game.parse_position(&plain.notation(&graph.positions[at]));
            read.is_ok_and(|position| game.layers().contains(&game.layer(&position)))
        };
        let is_position = (0..graph.len())
            .map(|at| at < all && graph.positions[at].captured.is_none() && is_in_layer(at))
            .collect();
        let start = graph.find(&plain.start()).expect("the start is a position");
        Plain { game: plain, graph, values, moves, is_position, start }
    }

    fn to_move(&self, at: usize) -> Side {
        of(self.graph.to_move[at])
    }

    fn text(&self, at: usize) -> String {
        self.game.notation(&self.graph.positions[at])
    }

    fn winner(&self, at: usize) -> Option<Side> {
        self.values[at].winner.map(of)
    }

    /// Whether a capture that leads to this end belongs to the move, so that the position after it
    /// is not reached: that of an end by the number of pieces.
    fn ends_by_move(&self, name: &str, at: usize) -> bool {
        name.contains('x')
            && self.graph.ended[at].is_some_and(|end| end.by.starts_with("two goats"))
    }

    /// Positions that play from the start can reach, found breadth first.
    fn reached(&self) -> HashSet<usize> {
        let (mut reached, mut open) = (HashSet::from([self.start]), VecDeque::from([self.start]));
        while let Some(at) = open.pop_front() {
            for (name, to) in &self.moves[at] {
                if !self.ends_by_move(name, *to) && reached.insert(*to) {
                    open.push_back(*to);
                }
            }
        }
        reached
    }
}

/// The figures of some positions, counted one by one.
#[derive(Default, Debug, PartialEq)]
struct Counted {
    positions: u64,
    won: [u64; 2],
    drawn: u64,
    over: u64,
    moves: u64,
    one_right_move: u64,
    one_move: u64,
    /// Passes, placements, steps, and captures of any kind.
    kinds: [u64; 4],
    chains: u64,
}

fn count(plain: &Plain, to_move: Side, positions: impl Iterator<Item = usize>) -> Counted {
    let mut counted = Counted::default();
    for at in positions.filter(|&at| plain.to_move(at) == to_move) {
        counted.positions += 1;
        match plain.winner(at) {
            Some(side) => counted.won[side.index()] += 1,
            None => counted.drawn += 1,
        }
        if plain.graph.ended[at].is_some() {
            counted.over += 1;
            continue;
        }
        let moves = &plain.moves[at];
        counted.moves += moves.len() as u64;
        counted.one_move += u64::from(moves.len() == 1);
        let right = moves.iter().filter(|(_, to)| plain.winner(*to) == plain.winner(at)).count();
        counted.one_right_move += u64::from(right == 1);
        for (name, _) in moves {
            let kind = match &name[..] {
                "pass" => 0,
                name if name.contains('x') => 3,
                name if name.contains('-') => 2,
                _ => 1,
            };
            counted.kinds[kind] += 1;
            counted.chains += u64::from(name.matches('x').count() > 1);
        }
    }
    counted
}

/// Compares a survey with counts of the same positions.
fn compare(game: &Hunt, plain: &Plain, survey: &Survey, positions: &[usize]) {
    let name = format!("{}, rules {}", game.name(), game.rules_id());
    assert_eq!(survey.positions(), positions.len() as u64, "{name}");
    for side in Side::BOTH {
        let counted = count(plain, side, positions.iter().copied());
        let found = &survey.to_move[side];
        let [pass, placement, step, jump, capture] = found.kinds;
        let found = Counted {
            positions: found.positions(),
            won: *found.won.as_array(),
            drawn: found.drawn,
            over: found.over,
            moves: found.moves,
            one_right_move: found.one_right_move,
            one_move: found.one_move,
            kinds: [pass, placement, step, jump + capture],
            chains: found.chains,
        };
        assert_eq!(found, counted, "{name}, {side:?} to move");
        let mean = counted.moves as f64 / (counted.positions - counted.over) as f64;
        assert_eq!(survey.to_move[side].mean_moves(), Some(mean), "{name}");
    }
    for winner in Side::BOTH {
        let won = positions.iter().filter(|&&at| plain.winner(at) == Some(winner));
        let longest = won.map(|&at| plain.values[at].plies).max();
        let found = survey.longest[winner];
        assert_eq!(found.map(|win| u32::from(win.plies)), longest, "{name}");
        if let Some(found) = found {
            let text = game.format_position(&found.position);
            let at = positions.iter().find(|&&at| plain.text(at) == text);
            let value = plain.values[*at.unwrap_or_else(|| panic!("{name}: no {text}"))];
            assert_eq!(
                (value.winner.map(of), Some(value.plies)),
                (Some(winner), longest),
                "{text}"
            );
        }
    }
    let mut ends = BTreeMap::new();
    for (_, to) in positions.iter().flat_map(|&at| &plain.moves[at]) {
        if let Some(end) = plain.graph.ended[*to] {
            *ends.entry((end.by.to_owned(), end.winner.map(of))).or_insert(0) += 1;
        }
    }
    let mut found = BTreeMap::new();
    for (end, &count) in game.description().ends.iter().zip(&survey.ends) {
        *found.entry((end.text.clone(), Some(end.winner))).or_insert(0) += count;
    }
    found.retain(|_, count| *count > 0);
    assert_eq!(found, ends, "{name}");
}

#[test]
fn every_figure_is_that_of_a_plain_count() {
    for game in games() {
        let plain = Plain::new(&game);
        let limits = Limits::default();
        let solution = Solution::of_layers(&game, game.layers(), &limits).expect("enough memory");
        let reachable = Reachable::from(&game, &game.start(), &limits).expect("enough memory");
        let scope = StudyScope::All(Some(&reachable));
        let whole = study(&game, &solution, scope, &Unobserved).expect("all positions are solved");
        let all: Vec<usize> = (0..plain.graph.len()).filter(|&at| plain.is_position[at]).collect();
        let reached: Vec<usize> = plain.reached().into_iter().collect();
        compare(&game, &plain, whole.all.as_ref().expect("visited"), &all);
        compare(&game, &plain, whole.reachable.as_ref().expect("visited"), &reached);
        for at in 0..plain.graph.len() {
            if let Ok(position) = game.parse_position(&plain.text(at)) {
                let is_reached = reached.contains(&at);
                assert_eq!(reachable.contains(&position), is_reached, "{}", plain.text(at));
            }
        }
        // A solution of the reachable positions alone has the same figures.
        let solution = Solution::reachable(&game, &game.start()).expect("enough memory");
        let scope = StudyScope::Reachable(&reachable);
        let part = study(&game, &solution, scope, &Unobserved).expect("they are solved");
        assert_eq!((part.all, &part.reachable), (None, &whole.reachable), "{}", game.rules_id());
    }
}

#[test]
fn rules_without_effect_are_those_that_never_occur() {
    let [mut ends, mut winners, mut passes, mut chains] = [0; 4];
    for game in games() {
        let plain = Plain::new(&game);
        let limits = Limits::default();
        let solution = Solution::of_layers(&game, game.layers(), &limits).expect("enough memory");
        let reachable = Reachable::from(&game, &game.start(), &limits).expect("enough memory");
        let scope = StudyScope::All(Some(&reachable));
        let found = study(&game, &solution, scope, &Unobserved).expect("all positions are solved");
        let reached = plain.reached();
        let everywhere = (0..plain.graph.len()).filter(|&at| plain.is_position[at]).collect();
        let parts = [(found.all, everywhere), (found.reachable, reached)];
        for (survey, positions) in parts {
            let idle = survey.expect("visited").idle_rules(&game);
            let moves =
                || positions.iter().flat_map(|&at| plain.moves[at].iter().map(move |mv| (at, mv)));
            for side in Side::BOTH {
                let wins = positions.iter().any(|&at| plain.winner(at) == Some(side));
                assert_eq!(idle.contains(&IdleRule::Winner(side)), !wins, "{}", game.rules_id());
                winners += u32::from(!wins);
                let captures =
                    moves().any(|(at, (name, _))| plain.to_move(at) == side && name.contains('x'));
                let is_idle = [MoveKind::Jump, MoveKind::Capture]
                    .map(|kind| idle.contains(&IdleRule::Moves(side, kind)));
                let rules = game.description().side(side);
                let may = [!rules.jumps.is_empty(), !rules.captures.is_empty()];
                assert_eq!(is_idle, may.map(|may| may && !captures), "{}", game.rules_id());
                let of_side = || moves().filter(|(at, _)| plain.to_move(*at) == side);
                let may_pass = !game.description().blocked_loses(side);
                let is_idle = may_pass && !of_side().any(|(_, (name, _))| name == "pass");
                assert_eq!(idle.contains(&IdleRule::Moves(side, MoveKind::Pass)), is_idle);
                passes += u32::from(may_pass && !is_idle);
                let longest = of_side().map(|(_, (name, _))| name.matches('x').count()).max();
                let is_idle = rules.chain && longest == Some(1);
                assert_eq!(idle.contains(&IdleRule::Chain(side)), is_idle, "{}", game.name());
                chains += u32::from(is_idle);
            }
            for (number, end) in game.description().ends.iter().enumerate() {
                let met = moves().any(|(_, (_, to))| {
                    plain.graph.ended[*to].is_some_and(|by| {
                        by.by == end.text && by.winner.map(of) == Some(end.winner)
                    })
                });
                assert_eq!(idle.contains(&IdleRule::End(number)), !met, "{}", end.text);
                ends += u32::from(!met);
            }
        }
    }
    // The games have such rules at all.
    assert!(ends > 0 && winners > 0, "{ends} ends, {winners} winners");
    assert!(passes > 0 && chains > 0, "{passes} passes, {chains} chains");
}

/// The chances of every position within a number of plies, by the definition.
fn dense(plain: &Plain, errors: BySide<f64>, plies: u32) -> Vec<[f64; 2]> {
    let ended = |at: usize| plain.graph.ended[at].map(|end| end.winner.map(of));
    let certain =
        |winner: Option<Side>| Side::BOTH.map(|side| if winner == Some(side) { 1.0 } else { 0.0 });
    let mut chances: Vec<[f64; 2]> =
        (0..plain.graph.len()).map(|at| ended(at).map_or([0.0; 2], certain)).collect();
    for _ in 0..plies {
        let mut longer = chances.clone();
        for (at, moves) in plain.moves.iter().enumerate() {
            if moves.is_empty() {
                continue;
            }
            let side = plain.to_move(at);
            let own = plain.graph.to_move[at];
            let score = |to: usize| plain.values[to].score(own);
            let best = moves.iter().map(|(_, to)| score(*to)).max();
            let best: Vec<usize> =
                moves.iter().map(|(_, to)| *to).filter(|&to| Some(score(to)) == best).collect();
            for winner in 0..2 {
                let any: f64 = moves.iter().map(|(_, to)| chances[*to][winner]).sum();
                let good: f64 = best.iter().map(|&to| chances[to][winner]).sum();
                let p = errors[side];
                longer[at][winner] =
                    p * any / moves.len() as f64 + (1.0 - p) * good / best.len() as f64;
            }
        }
        chances = longer;
    }
    chances
}

fn erring(game: &Hunt) -> ErringPlay {
    let limits = Limits::default();
    let solution = Solution::reachable(game, &game.start()).expect("enough memory");
    let reachable = Reachable::from(game, &game.start(), &limits).expect("enough memory");
    ErringPlay::new(&reachable, &solution, &limits).expect("enough memory")
}

#[test]
fn chances_are_those_of_a_dense_iteration() {
    for game in games() {
        let plain = Plain::new(&game);
        let play = erring(&game);
        for errs in Errs::ALL {
            for (p, plies) in [(0.0, 250), (0.1, 7), (0.1, 60), (0.3, 250), (1.0, 250), (1.0, 1)] {
                let errors = errs.with(p);
                let found = play.chances(errors, plies, &Unobserved).expect("not interrupted");
                let expected = dense(&plain, errors, plies)[plain.start];
                for side in Side::BOTH {
                    let difference = (found.won[side] - expected[side.index()]).abs();
                    assert!(
                        difference < 2e-12,
                        "{} {} {errs:?} {p} {plies}: {found:?} {expected:?}",
                        game.name(),
                        game.rules_id()
                    );
                }
                let all = found.won[Side::First] + found.won[Side::Second] + found.undecided();
                assert!((all - 1.0).abs() < 1e-9, "{found:?}");
            }
        }
    }
}

#[test]
fn without_errors_the_winner_of_the_start_wins() {
    for game in games() {
        let solution = Solution::reachable(&game, &game.start()).expect("enough memory");
        let value = solution.get(&game.start()).expect("the start is solved");
        let certain = |side| if value.winner() == Some(side) { 1.0 } else { 0.0 };
        let play = erring(&game);
        let never = BySide::new(0.0, 0.0);
        let won = Chances { won: BySide::from_fn(certain) };
        assert_eq!(play.chances(never, 250, &Unobserved), Ok(won), "{}", game.rules_id());
        // A ply fewer than the win takes is not enough.
        if let Some(plies) = value.plies().filter(|&plies| value != Dtw::DRAW && plies > 0) {
            let short = play.chances(never, u32::from(plies) - 1, &Unobserved);
            assert_eq!(short, Ok(Chances::default()), "{}", game.rules_id());
            assert_eq!(play.chances(never, plies.into(), &Unobserved), Ok(won));
        }
    }
}

#[test]
fn both_sides_win_equally_often_with_the_even_probability() {
    let [mut found, mut none] = [0; 2];
    for game in games() {
        let play = erring(&game);
        let lead = |errs: Errs, p: f64| {
            play.chances(errs.with(p), 250, &Unobserved).expect("not interrupted").lead()
        };
        for errs in Errs::ALL {
            if let Some(p) = play.even(errs, 250, &Unobserved).expect("not interrupted") {
                found += 1;
                // The lead changes its sign within the precision.
                assert!(lead(errs, p - 1e-4) * lead(errs, p + 1e-4) <= 0.0, "{errs:?} {p}");
            } else {
                none += 1;
                assert!(lead(errs, 0.0) * lead(errs, 1.0) >= 0.0, "{errs:?}");
            }
        }
    }
    assert!(found > 0 && none > 0, "{found} found, {none} none");
}

/// Plays games by the rules of `anser-core` with its own choice of moves.
#[test]
fn chances_are_those_of_games_that_are_played() {
    const GAMES: u32 = 40_000;
    let games = games();
    let game = games.iter().find(|game| game.rules_id() == "unlimited").expect("it is listed");
    let solution = Solution::reachable(game, &game.start()).expect("enough memory");
    let errors = BySide::new(0.6, 0.1);
    let expected = erring(game).chances(errors, 30, &Unobserved).expect("not interrupted");
    let mut random = anser_analyse::Random::new(11);
    let mut won = BySide::new(0_u32, 0);
    for _ in 0..GAMES {
        let mut position = game.start();
        for _ in 0..30 {
            let side = position.to_move();
            let moves = anser_analyse::best_first(game, &position, &solution).expect("solved");
            let best = moves.iter().take_while(|mv| mv.score(side) == moves[0].score(side)).count();
            let choices = if random.unit() < errors[side] { moves.len() } else { best };
            let next = moves[random.below(choices)].next;
            if let Some(outcome) = game.outcome_after(&next) {
                if let anser_core::Outcome::Win(winner) = outcome {
                    won[winner] += 1;
                }
                break;
            }
            position = *next.position();
        }
    }
    // The standard deviation of a share is at most half the square root of the number of games;
    // five of them are missed once in a million times.
    let tolerance = 5.0 * 0.5 / f64::from(GAMES).sqrt();
    for side in Side::BOTH {
        let share = f64::from(won[side]) / f64::from(GAMES);
        assert!((share - expected.won[side]).abs() < tolerance, "{share} {expected:?}");
        assert!(expected.won[side] > 0.05, "{expected:?}");
    }
}

/// The zugzwangs of a game by the outcomes of all its positions: full ones, and those of either
/// side.
fn plain_zugzwangs(game: &Hunt, all: &Solution) -> [u64; 3] {
    let mut counts = [0; 3];
    for layer in game.layers() {
        for (position, value) in all.positions(layer) {
            let side = position.to_move();
            let lost = |value: Dtw| game.winner(value.outcome()) == Some(side.other());
            let Some(passed) = game.passed(&position).filter(|passed| all.contains(passed)) else {
                continue;
            };
            let is_over = |position| game.terminal(position).is_some();
            if !lost(value) || is_over(&position) || is_over(&passed) {
                continue;
            }
            match game.winner(all.require(&passed).expect("it is solved").outcome()) {
                Some(winner) if winner == side => counts[0] += 1,
                Some(_) => {}
                None => counts[1 + side.index()] += 1,
            }
        }
    }
    // Each arrangement was met with either side to move.
    [counts[0] / 2, counts[1], counts[2]]
}

#[test]
fn endless_play_that_is_won_is_no_draw_in_zugzwangs() {
    let registry = Registry::standard();
    let mut full = Vec::new();
    for (name, rules) in [
        ("thy", "standard"),
        ("thy", "hare-wins"),
        ("ludus-coriovalli", "3-1-j0"),
        ("triangle", ""),
    ] {
        let game = match name {
            "triangle" => games().swap_remove(0),
            _ => registry.game(name, Some(rules)).expect("a rule set"),
        };
        let all = Solution::of_layers(&game, game.layers(), &Limits::default());
        let all = all.expect("there is memory");
        let counts = |found: &Zugzwangs| {
            let [first, second] = Side::BOTH.map(|side| found.one_sided[side].count);
            [found.full.count, first, second]
        };
        let expected = plain_zugzwangs(&game, &all);
        assert_eq!(counts(&zugzwangs(&all, 3)), expected, "{name} {rules}");
        let by_layer = game.layers().fold(Zugzwangs::default(), |found, layer| {
            let of_layer = zugzwangs_of_layer(&game, &all, layer, 3, &Unobserved);
            found.join(of_layer.expect("it is solved"), 3)
        });
        assert_eq!(counts(&by_layer), expected, "{name} {rules}, by layers");
        if game.endless().is_some() {
            assert_eq!(expected[1..], [0; 2]);
        }
        full.push(expected[0]);
    }
    assert_eq!(full[1], 17);
}

/// A hare and a dog on a line of four points.
fn on_a_line(more: &str, text: &str) -> Hunt {
    let text = format!(
        "name = \"line\"\n{more}\n\
         [board]\npoints = [[\"a1\", 0, 0], [\"b1\", 1, 0], [\"c1\", 2, 0], [\"d1\", 3, 0]]\n\
         lines = [\"a1 b1 c1 d1\"]\n\
         [few]\nname = \"hare\"\nletter = \"R\"\nstart = \"a1\"\nsteps = \"lines\"\n\
         [many]\nname = \"dog\"\nletter = \"d\"\nstart = \"c1\"\nsteps = \"lines\"\n\
         [[ends]]\nwinner = \"many\"\n{text}\n"
    );
    let info = parse_file("line.toml".as_ref(), &text).expect("a description");
    info.make("", &info.default_rules).expect("its rules")
}

#[test]
fn stalemates_do_not_depend_on_the_words_for_an_end() {
    for (end, count) in [
        ("when = \"blocked few\"", 2),
        ("when = \"blocked few\"\ntext = \"trapped\"", 2),
        ("when = \"reached few a1\"\ntext = \"blocked\"", 0),
    ] {
        let game = on_a_line("", end);
        let all = Solution::of_layers(&game, game.layers(), &Limits::default());
        let all = all.expect("there is memory");
        assert_eq!(stalemates(&all, Side::First, 5).count, count, "{end}");
    }
}

#[test]
fn a_side_that_wins_by_endless_play_is_not_the_other_side() {
    let end = "when = \"reached few c1\"";
    for (endless, is_found) in [("many", false), ("few", true)] {
        let game = on_a_line(&format!("first = \"many\"\nendless = \"{endless}\""), end);
        let all = Solution::reachable(&game, &game.start()).expect("there is memory");
        let found = opposite(&game, &game.start(), &all).expect("it is solved");
        assert_eq!(found.is_some(), is_found, "{endless}");
    }
}
