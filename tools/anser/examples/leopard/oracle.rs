//! The plainest program for leopard and goats, written from the rules and not from the module:
//! boards are texts.

use std::collections::HashMap;

/// Who wins (`l` or `g`) and in how many plies; a draw has no entry.
pub(crate) type Values = HashMap<String, (char, u16)>;

/// All positions, as nine letters from the top left and the side to move: `g...L.ggg l`.
pub(crate) fn positions() -> Vec<String> {
    let mut boards = vec![String::new()];
    for _ in 0..9 {
        boards = boards
            .iter()
            .flat_map(|board| ["L", "g", "."].map(|piece| board.clone() + piece))
            .collect();
    }
    boards.retain(|board| count(board, 'L') == 1 && (2..=5).contains(&count(board, 'g')));
    boards.iter().flat_map(|board| ["l", "g"].map(|side| format!("{board} {side}"))).collect()
}

fn count(board: &str, piece: char) -> usize {
    board.chars().filter(|&found| found == piece).count()
}

/// The positions that the moves lead to.
fn moves(position: &str) -> Vec<String> {
    let letters: Vec<char> = position.chars().collect();
    let (own, other) = if letters[10] == 'l' { ('L', 'g') } else { ('g', 'l') };
    let mut next = Vec::new();
    for from in 0..9_i32 {
        for (dx, dy) in [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (1, -1), (-1, 1)] {
            let at = |steps: i32| {
                let (x, y) = (from % 3 + steps * dx, from / 3 + steps * dy);
                ((0..3).contains(&x) && (0..3).contains(&y)).then_some((3 * y + x) as usize)
            };
            // Diagonal lines lead through the middle alone: between corners and the center.
            let diagonal = dx != 0 && dy != 0;
            if letters[from as usize] != own || diagonal && from % 2 != 0 {
                continue;
            }
            let Some(to) = at(1) else { continue };
            let mut board = letters.clone();
            board[from as usize] = '.';
            board[10] = other.to_ascii_lowercase();
            if letters[to] == '.' {
                board[to] = own;
                next.push(board.iter().collect());
            } else if own == 'L'
                && let Some(behind) = at(2)
                && letters[behind] == '.'
            {
                board[to] = '.';
                board[behind] = 'L';
                next.push(board.iter().collect());
            }
        }
    }
    next
}

/// Decides in round `n` what is won or lost in `n` plies, until a round decides nothing.
pub(crate) fn values() -> Values {
    let positions = positions();
    let mut values = Values::new();
    for round in 0.. {
        let mut found = Vec::new();
        for position in positions.iter().filter(|position| !values.contains_key(*position)) {
            let (own, other) = if position.ends_with('l') { ('l', 'g') } else { ('g', 'l') };
            let next = moves(position);
            // A leopard that has left one goat has won.
            let winner = |next: &String| match count(&next[..9], 'g') {
                1 => (round > 0).then_some('l'),
                _ => values.get(next).map(|value| value.0),
            };
            if next.iter().any(|next| winner(next) == Some(own)) {
                found.push((position.clone(), (own, round)));
            } else if next.iter().all(|next| winner(next) == Some(other)) {
                found.push((position.clone(), (other, round)));
            }
        }
        // Round 0 decides positions without moves alone, and a layer may need none.
        if found.is_empty() && round > 0 {
            break;
        }
        values.extend(found);
    }
    values
}
