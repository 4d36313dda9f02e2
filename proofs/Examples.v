(** * Examples: a hunt with a table, and outcomes that are wrong *)

From Coq Require Import List.
From Anser Require Import Certificate.
Import ListNotations.

(** Points A, B, C, D form a square, and D, E, F a line. The hound (first side) wins on the point of
    the hare. The hare (second side) wins on B. A hare that cannot move passes. *)
Inductive point := A | B | C | D | E | F.
Scheme Equality for point.

Definition next (x : point) : list point :=
  match x with A | C => [B; D] | B => [A; C] | D => [A; C; E] | E => [D; F] | F => [E] end.

Definition hunt : game := {|
  position := side * point * point;  (* side to move, hound, hare *)
  mover '(s, h, x) := s;
  terminal '(s, h, x) := if point_eq_dec h x then Some (Won First)
                         else if point_eq_dec x B then Some (Won Second) else None;
  moves '(s, h, x) := match s, remove point_eq_dec h (next x) with
                      | First, _ => map (fun y => (Second, y, x)) (next h)
                      | Second, [] => [(First, h, x)]
                      | Second, free => map (fun y => (First, h, y)) free end |}.

(** The symmetry exchanges A and C. Of two mirror images, one is the representative. *)
Definition rep (p : position hunt) : position hunt :=
  match p with
  | (s, C, x) => (s, A, match x with A => C | C => A | _ => x end)
  | (s, (B | D | E | F) as h, C) => (s, h, A)
  | _ => p
  end.

(** A plain solver. Nothing is proven about it; its labels are checked. *)
Fixpoint solve {G : game} (n : nat) (p : position G) : label :=
  match n with 0 => Draw | S n => look_ahead_at (solve n) p end.

(** The table stores labels for the representatives with the hound to move. *)
Definition labels : position hunt -> label :=
  completed (fun p => side_beq (mover p) First) (fun p => solve 8 (rep p)).

(** The check of the 26 stored labels, by computation, proves the labels of all 72 positions. *)
Theorem hunt_passes : passes_on (fun _ => True) labels.
Proof.
  apply table_check; try easy.
  - intros [[[] []] []] _; cbn; try easy; intros _ _; (split; [easy|]); intuition (subst; auto).
  - split; intros [[[] []] []]; cbn; try easy; tauto.
  - now intros [[[] []] []].
  - intros [[[] []] []] _; try easy; intros _ N; try discriminate N; vm_compute; reflexivity.
Qed.

Example hunt_results : @distance hunt First (First, B, F) 7 /\ @no_win hunt (First, A, C).
Proof.
  pose (P := fun _ : position hunt => True). assert (C : closed P) by easy.
  split; [apply (certificate_won P labels C) | apply (certificate_drawn P labels C)]; try easy;
    exact hunt_passes.
Qed.

(** ** Outcomes without distances: "won" may be false *)

(** Two positions, each the only successor of the other. *)
Definition two_cycle : game :=
  Game side (fun s => s) (fun _ => None) (fun s => [match s with First => Second | _ => First end]).

Example outcome_won_may_be_false :
  (forall p : position two_cycle, outcome_ok (fun _ => Won First) p /\ no_win p).
Proof.
  intros p. split.
  - destruct p; cbn; [auto|]. split; [easy|]. now intros x [<-|[]].
  - apply (certificate (fun _ => True) (fun _ => Draw)); try easy; now intros [].
Qed.
