(** * Certificates: local conditions on labels prove every distance

    A labeling gives every position of a game a label: won for one side in d plies, or drawn. It is
    right everywhere if it meets a local condition at every position. The condition reads the label
    of the position and the labels of its successors. Nothing is assumed about the solver. *)

From Coq Require Import Arith Lia List.
Import ListNotations.

(** ** Games *)

Inductive side := First | Second.
Scheme Equality for side.  (* decides a = b: [side_eq_dec a b] *)
Inductive outcome := Won (s : side) | Drawn.

(** [terminal p] is [Some o] if the game is over at [p] with outcome [o]. [moves p] lists the
    positions after one ply. A pass is an ordinary move. The sides need not alternate, play may
    return to a position, and the set of positions may be infinite. *)
Record game := Game {
  position : Type;
  mover : position -> side;
  terminal : position -> option outcome;
  moves : position -> list position
}.
Arguments mover {g}. Arguments terminal {g}. Arguments moves {g}.

(** [forces s n p]: side [s] can force a win from [p] in at most [n] plies. [s] has won, or has a
    move that keeps the win, or every move of the other side keeps it. A position that is not
    terminal and has no moves is won for neither side. *)
Inductive forces {G : game} (s : side) : nat -> position G -> Prop :=
| forces_terminal n p : terminal p = Some (Won s) -> forces s n p
| forces_own_move n p q :
    terminal p = None -> mover p = s -> In q (moves p) -> forces s n q -> forces s (S n) p
| forces_other_move n p :
    terminal p = None -> mover p <> s -> moves p <> [] ->
    (forall q, In q (moves p) -> forces s n q) -> forces s (S n) p.

(** The distance is the least number of plies in which [s] can force a win. *)
Definition distance {G : game} (s : side) (p : position G) (d : nat) : Prop :=
  forces s d p /\ forall n, forces s n p -> d <= n.

(** Neither side can force a win, in any number of plies. *)
Definition no_win {G : game} (p : position G) : Prop := forall s n, ~ forces s n p.

(** ** Labels and local conditions; [succ] lists the labels of the successors *)

Inductive label := WonIn (s : side) (d : nat) | Draw.

Definition static_label (o : outcome) : label :=
  match o with Won s => WonIn s 0 | Drawn => Draw end.

(** Terminal: the label is the outcome, in 0 plies. *)
Definition terminal_ok (o : outcome) (l : label) : Prop := l = static_label o.

(** Won for the mover [w] in [d > 0]: some successor is won for it in [d - 1], none sooner. *)
Definition won_ok (w : side) (d : nat) (succ : list label) : Prop :=
  exists e, d = S e /\ In (WonIn w e) succ /\ forall n, In (WonIn w n) succ -> e <= n.

(** Lost, won for the other side [w], in [d > 0]: so are all successors, the longest in [d - 1]. *)
Definition lost_ok (w : side) (d : nat) (succ : list label) : Prop :=
  exists e, d = S e /\ In (WonIn w e) succ /\
    forall v, In v succ -> exists n, v = WonIn w n /\ n <= e.

(** Drawn: some successor is drawn, none is won for the mover [s]. *)
Definition drawn_ok (s : side) (succ : list label) : Prop :=
  In Draw succ /\ forall n, ~ In (WonIn s n) succ.

(** The condition on a position with terminal outcome [o], side to move [s], and label [l]. *)
Definition local_ok (o : option outcome) (s : side) (l : label) (succ : list label) : Prop :=
  match o, l with
  | Some o, _ => terminal_ok o l
  | None, WonIn w d => if side_eq_dec w s then won_ok w d succ else lost_ok w d succ
  | None, Draw => drawn_ok s succ
  end.

Definition passes_at {G : game} (L : position G -> label) (p : position G) : Prop :=
  local_ok (terminal p) (mover p) (L p) (map L (moves p)).

(** ** The main theorem, on a set [P] that no move leaves: all positions, or layers 1 to n *)

Definition closed {G : game} (P : position G -> Prop) : Prop :=
  forall p q, P p -> terminal p = None -> In q (moves p) -> P q.

Definition passes_on {G : game} (P : position G -> Prop) (L : position G -> label) : Prop :=
  forall p, P p -> passes_at L p.

Section Certificate.
Context {G : game} (P : position G -> Prop) (L : position G -> label).
Hypotheses (P_closed : closed P) (L_passes : passes_on P L).

(** Soundness: a win labeled [d] can be forced in [n] plies if [d <= n]. Induction on [n]. *)
Lemma label_sound s n : forall p d, P p -> L p = WonIn s d -> d <= n -> forces s n p.
Proof.
  induction n as [|n IH]; intros p d Pp Lp Hd; pose proof (L_passes p Pp) as H;
    unfold passes_at, local_ok in H; rewrite Lp in H; destruct (terminal p) as [[w|]|] eqn:T;
    try discriminate H; try (injection H as -> ->; now apply forces_terminal);
    destruct (side_eq_dec s (mover p)) as [E|E]; destruct H as (e & -> & H & F); try lia.
  - (* [s] to move: move to a successor won in [d - 1] *)
    apply in_map_iff in H as (q & Lq & Hq).
    apply forces_own_move with q; auto. apply (IH q e); eauto. lia.
  - (* other side to move: every successor is won in at most [d - 1] *)
    apply forces_other_move; auto; [intros N; now rewrite N in H|].
    intros q Hq. destruct (F (L q) (in_map L _ q Hq)) as (k & Lq & Hk).
    apply (IH q k); eauto. lia.
Qed.

(** Completeness: a win forced in [n] plies is labeled with at most [n]. Induction on [forces]. *)
Lemma label_complete s n p : forces s n p -> P p -> exists d, L p = WonIn s d /\ d <= n.
Proof.
  induction 1 as [n p T | n p q T M Hq _ IH | n p T M _ _ IH]; intros Pp;
    pose proof (L_passes p Pp) as H; unfold passes_at, local_ok in H; rewrite T in H.
  - exists 0. split; [exact H | lia].
  - destruct IH as (k & Lq & Hk); [eauto|].
    assert (I : In (WonIn s k) (map L (moves p))) by (rewrite <- Lq; now apply in_map).
    rewrite M in H. destruct (L p) as [w d|]; [|now destruct H as [_ F], (F k)].
    destruct (side_eq_dec w s) as [->|W]; destruct H as (e & -> & _ & F).
    + exists (S e). apply F in I. split; [auto|lia].
    + destruct (F _ I) as (m & [= X _] & _). congruence.
  - assert (I : forall v, In v (map L (moves p)) -> exists k, v = WonIn s k /\ k <= n).
    { intros v Hv. apply in_map_iff in Hv as (q & <- & Hq). eauto. }
    destruct (L p) as [w d|]; [|now destruct H as [H _]; apply I in H as (k & [=] & _)].
    destruct (side_eq_dec w (mover p)) as [->|W]; destruct H as (e & -> & H & _);
      apply I in H as (k & [= X <-] & Hk); [easy|].
    exists (S e). rewrite X. split; [auto|lia].
Qed.

(** [s] can force a win in [n] plies exactly if the label is a win for [s] in at most [n]. *)
Theorem certificate_forces p : P p ->
  forall s n, forces s n p <-> exists d, L p = WonIn s d /\ d <= n.
Proof.
  split; [intros F; now apply label_complete | intros (d & Lp & Hd); now apply label_sound with d].
Qed.

(** A position is labeled won for [s] in [d] exactly if [d] is the least number of plies in which
    [s] can force a win. *)
Theorem certificate_won p : P p -> forall s d, L p = WonIn s d <-> distance s p d.
Proof.
  intros Pp s d. unfold distance. setoid_rewrite (certificate_forces p Pp). split.
  - intros Lp. split; [eauto|]. intros n (k & Lk & Hk). congruence.
  - intros [(k & Lk & Hk) M]. rewrite Lk. f_equal. apply Nat.le_antisymm; eauto.
Qed.

(** A position is labeled drawn exactly if neither side can force a win. *)
Theorem certificate_drawn p : P p -> (L p = Draw <-> no_win p).
Proof.
  intros Pp. unfold no_win. setoid_rewrite (certificate_forces p Pp). split.
  - intros Lp s n (k & Lk & _). congruence.
  - intros N. destruct (L p) as [s d|]; [|auto]. destruct (N s d). eauto.
Qed.
End Certificate.

(** Two labelings that pass agree. *)
Theorem certificate_unique {G : game} (P : position G -> Prop) (K L : position G -> label) :
  closed P -> passes_on P K -> passes_on P L -> forall p, P p -> K p = L p.
Proof.
  intros C HK HL p Pp. destruct (L p) as [s d|] eqn:Lp.
  - now apply (certificate_won P K C HK), (certificate_won P L C HL).
  - now apply (certificate_drawn P K C HK), (certificate_drawn P L C HL).
Qed.

(** ** Look-ahead: the label of a position, computed from the labels of its successors *)

Definition one_more (l : label) : label :=
  match l with WonIn s d => WonIn s (S d) | Draw => Draw end.

(** The label that [s] prefers: a quick win, a slow win, a draw, a slow loss, a quick loss. *)
Definition better (s : side) (a b : label) : label :=
  match a, b with
  | WonIn v d, WonIn w e =>
      if side_eq_dec v s then if side_eq_dec w s then if d <=? e then a else b else a
      else if side_eq_dec w s then b else if d <=? e then b else a
  | WonIn v _, Draw => if side_eq_dec v s then a else b
  | Draw, WonIn w _ => if side_eq_dec w s then b else a
  | Draw, Draw => Draw
  end.

Definition look_ahead (s : side) (succ : list label) : label :=
  match succ with [] => Draw | v :: rest => one_more (fold_right (better s) v rest) end.

(** The outcome of a terminal position, otherwise the label that [K] gives. *)
Definition outcome_or {G : game} (K : position G -> label) (p : position G) : label :=
  match terminal p with Some o => static_label o | None => K p end.

Definition look_ahead_at {G : game} (K : position G -> label) : position G -> label :=
  outcome_or (fun p => look_ahead (mover p) (map K (moves p))).

(** One more successor: the conditions hold for the better of the old best and the new label. *)
Lemma better_ok s a v succ :
  local_ok None s (one_more a) succ -> local_ok None s (one_more (better s v a)) (v :: succ).
Proof.
  (* all cases of the side to move and the two labels; equal winners also by distance *)
  destruct s, a as [[] e|], v as [[] d|]; cbn [better];
    try destruct (Nat.leb_spec d e); intros K; cbn in *; unfold won_ok, lost_ok, drawn_ok in *;
    try (destruct K as (? & [= <-] & K)); destruct K as [K F];
    try (eexists; split; [reflexivity|]); (split; [now cbn; auto|]); intros x E.
  all: try (destruct E as [E|E]; [try injection E as ->; subst | apply F in E as N]).
  all: try lia; try congruence; try (destruct N as (? & ? & ?)).
  all: try solve [eexists; split; [eauto | lia] | cbn in *; congruence].
  all: intros [E|E]; [discriminate E | eapply F; exact E].
Qed.

(** The conditions depend only on the set of the labels of the successors. *)
Lemma local_ok_ext o s l succ succ' :
  (forall v, In v succ <-> In v succ') -> local_ok o s l succ -> local_ok o s l succ'.
Proof.
  intros E. destruct o; [auto|]. destruct l as [w d|]; cbn; [destruct side_eq_dec|];
    unfold won_ok, lost_ok, drawn_ok; setoid_rewrite E; auto.
Qed.

(** The computed label meets the conditions, and no other label does. *)
Lemma look_ahead_ok s succ : succ <> [] -> local_ok None s (look_ahead s succ) succ.
Proof.
  destruct succ as [|v rest]; [easy|]. intros _. cbn [look_ahead]. induction rest as [|x rest IH].
  - destruct s, v as [[] d|]; cbn; try (exists d; split; [auto|]);
      (split; [now left|]); intros n [E|[]]; try injection E as ->; subst; eauto; discriminate.
  - apply better_ok with (v := x) in IH. revert IH. apply local_ok_ext. cbn. tauto.
Qed.

Lemma local_ok_unique o s l l' succ : local_ok o s l succ -> local_ok o s l' succ -> l = l'.
Proof.
  destruct o; [cbn; unfold terminal_ok; congruence|].
  destruct s, l as [[] d|], l' as [[] e|]; cbn; auto; intros H K;
    try destruct H as (d' & -> & H); try destruct K as (e' & -> & K);
    destruct H as [H F], K as [K F']; try apply F in K as A; try apply F' in H as B;
    try destruct A as (? & [=] & ?); try destruct B as (? & [=] & ?);
    subst; try easy; f_equal; lia.
Qed.

Lemma look_ahead_ext s succ succ' :
  (forall v, In v succ <-> In v succ') -> look_ahead s succ = look_ahead s succ'.
Proof.
  intros E. destruct succ as [|v r], succ' as [|w r']; auto;
    [now destruct (proj2 (E w)); left | now destruct (proj1 (E v)); left |].
  apply (local_ok_unique None s) with (v :: r); [now apply look_ahead_ok|].
  apply local_ok_ext with (w :: r'); [now symmetry | now apply look_ahead_ok].
Qed.

(** ** The check as a program: compare the label with the computed one *)

Definition label_eq_dec (a b : label) : {a = b} + {a <> b}.
Proof. decide equality; [apply Nat.eq_dec | apply side_eq_dec]. Defined.

Definition check_position {G : game} (L : position G -> label) (p : position G) : bool :=
  match terminal p, moves p with
  | None, [] => false
  | _, _ => if label_eq_dec (L p) (look_ahead_at L p) then true else false
  end.

(** The program accepts exactly the positions that meet the conditions. *)
Theorem check_position_iff {G : game} (L : position G -> label) p :
  check_position L p = true <-> passes_at L p.
Proof.
  unfold check_position, look_ahead_at, outcome_or, passes_at.
  destruct (terminal p); [now destruct label_eq_dec|].
  destruct (moves p) as [|q qs].
  - split; [discriminate|]. destruct (L p) as [w d|]; cbn; [destruct side_eq_dec|];
      [intros (? & _ & [] & _) .. | intros [[] _]].
  - pose proof (look_ahead_ok (mover p) (map L (q :: qs))) as A.
    destruct label_eq_dec as [->|N]; split; try easy; intros H; [now apply A|].
    destruct N. now apply (local_ok_unique _ _ _ _ _ H), A.
Qed.

(** The main theorem, with the program as the check. *)
Corollary certificate {G : game} (P : position G -> Prop) (L : position G -> label) :
  closed P -> (forall p, P p -> check_position L p = true) -> forall p, P p ->
  (forall s d, L p = WonIn s d <-> distance s p d) /\ (L p = Draw <-> no_win p).
Proof.
  intros C H p Pp. assert (A : passes_on P L) by (intros q Pq; now apply check_position_iff, H).
  split; [now apply (certificate_won P) | now apply (certificate_drawn P)].
Qed.

(** ** Symmetry classes *)

(** [rep p] represents the class of [p]. It is enough that [p] and [rep p] agree on the outcome,
    on the side to move, and on the classes of the successors. *)
Record class_map {G : game} (rep : position G -> position G) : Prop := {
  rep_terminal p : terminal (rep p) = terminal p;
  rep_mover p : mover (rep p) = mover p;
  rep_moves p r : In r (map rep (moves (rep p))) <-> In r (map rep (moves p));
  rep_rep p : rep (rep p) = rep p
}.

(** Symmetries keep the outcome and the side to move, map moves to moves, and have inverses. They
    give classes if [rep] picks a member of each class, the same for all its members. *)
Theorem symmetries_give_classes {G : game} (I : Type) (act : I -> position G -> position G) rep :
  (forall g p, terminal (act g p) = terminal p) -> (forall g p, mover (act g p) = mover p) ->
  (forall g p q, In q (moves p) -> In (act g q) (moves (act g p))) ->
  (forall g, exists h, forall p, act h (act g p) = p) ->
  (forall p, exists g, rep p = act g p) -> (forall g p, rep (act g p) = rep p) -> class_map rep.
Proof.
  intros T M S Inv R Same. split; intros p; destruct (R p) as [g Rg]; rewrite Rg; auto;
    [intros r | congruence]. rewrite !in_map_iff. split; intros (q & <- & Hq); [|eauto].
  destruct (Inv g) as [h Hh]. exists (act h q). split; [auto|]. rewrite <- (Hh p). auto.
Qed.

Lemma class_labels {G : game} rep (L : position G -> label) p v :
  class_map rep -> (forall q, L (rep q) = L q) ->
  In v (map L (moves (rep p))) <-> In v (map L (moves p)).
Proof.
  intros C E. assert (A : forall qs, map L qs = map L (map rep qs))
    by (intros qs; rewrite map_map; now apply map_ext).
  rewrite (A (moves p)), (A (moves (rep p))), !(in_map_iff L).
  setoid_rewrite (rep_moves rep C). reflexivity.
Qed.

(** If the labels are those of the representatives, checking the representatives is enough. *)
Theorem class_check {G : game} rep (L : position G -> label) p :
  class_map rep -> (forall q, L (rep q) = L q) -> passes_at L (rep p) -> passes_at L p.
Proof.
  intros C E. unfold passes_at. rewrite rep_terminal, rep_mover, E by auto.
  apply local_ok_ext. intros v. now apply class_labels.
Qed.

(** ** Omitted positions: [stored p] is false where the table stores nothing *)

Section Omitted.
Context {G : game} (P : position G -> Prop) (stored : position G -> bool).

(** All labels, from the stored labels [K]. Those of omitted positions come from look-ahead. *)
Definition completed (K : position G -> label) (p : position G) : label :=
  if stored p then K p else look_ahead_at (outcome_or K) p.

(** An omitted position has a move, and its successors are stored or terminal. *)
Definition omission_ok : Prop := forall p, P p -> stored p = false -> terminal p = None ->
  moves p <> [] /\ forall q, In q (moves p) -> stored q = true \/ terminal q <> None.

(** Checking the stored positions, with computed labels for the omitted ones, is enough. *)
Theorem omitted_check (K : position G -> label) : closed P -> omission_ok ->
  (forall p, P p -> stored p = true -> passes_at (completed K) p) -> passes_on P (completed K).
Proof.
  intros C O H p Pp. destruct (stored p) eqn:Kp; [now apply H|].
  unfold passes_at. unfold completed at 1. rewrite Kp. unfold look_ahead_at, outcome_or at 1.
  destruct (terminal p) as [o|] eqn:T; [reflexivity|]. destruct (O p Pp Kp T) as [N S].
  rewrite (map_ext_in (completed K) (outcome_or K)).
  - apply look_ahead_ok. now destruct (moves p).
  - intros q Hq. unfold completed. destruct (stored q) eqn:Kq; unfold look_ahead_at, outcome_or;
      destruct (terminal q) as [o|] eqn:Tq; try reflexivity; [|now destruct (S q Hq); congruence].
    pose proof (H q (C p q Pp T Hq) Kq) as A. unfold passes_at, completed in A.
    now rewrite Tq, Kq in A.
Qed.

(** Both: [T] is read only at stored representatives. Checking these positions is enough. *)
Theorem table_check rep (T : position G -> label) (K := fun p => T (rep p)) :
  closed P -> omission_ok -> class_map rep ->
  (forall p, stored (rep p) = stored p) -> (forall p, P p -> P (rep p)) ->
  (forall p, P p -> stored p = true -> rep p = p -> check_position (completed K) p = true) ->
  passes_on P (completed K).
Proof.
  intros C O R Kr Pr H. apply omitted_check; auto. intros p Pp Kp. apply class_check with rep; auto.
  - intros q. unfold completed, look_ahead_at, outcome_or, K.
    rewrite Kr, rep_rep, rep_terminal, rep_mover by auto. destruct (stored q), (terminal q); auto.
    apply look_ahead_ext. intros v. apply class_labels; [auto|]. intros r.
    now rewrite rep_terminal, rep_rep by auto.
  - apply check_position_iff, H; auto; [now rewrite Kr | now apply rep_rep].
Qed.
End Omitted.

(** ** A limit of plies: [(p, k)] has [k] plies left; with none left, the outcome is [o] *)

Definition limited (G : game) (o : outcome) : game := {|
  position := position G * nat;
  mover p := mover (fst p);
  terminal p := match terminal (fst p), snd p with None, 0 => Some o | t, _ => t end;
  moves p := map (fun q => (q, pred (snd p))) (moves (fst p)) |}.

(** If the limit is no win for [s]: [s] can force a win from [(p, k)] in at most [n] plies exactly
    if it can from [p] in at most [n] and at most [k]. *)
Theorem limited_forces (G : game) o s n (x : position (limited G o)) :
  o <> Won s -> forces s n x <-> forces s (min n (snd x)) (fst x).
Proof.
  intros N. split.
  - induction 1 as [n [p k] T | n [p k] q T M Hq _ IH | n [p k] T M E _ IH]; cbn in *;
      destruct (terminal p) eqn:Tp; try discriminate T; try (now apply forces_terminal; rewrite Tp);
      destruct k; try discriminate T; [congruence | |].
    + apply in_map_iff in Hq as (r & <- & Hr). now apply forces_own_move with r.
    + apply forces_other_move; auto; [now destruct (moves p)|].
      intros r Hr. apply (IH (r, k)), in_map_iff. eauto.
  - destruct x as [p k]. cbn. remember (min n k) as m eqn:Em. intros F. revert n k Em.
    induction F as [m p T | m p q T M Hq _ IH | m p T M E _ IH]; intros n k Em;
      [apply forces_terminal; cbn; now rewrite T | |];
      destruct n, k; try discriminate Em; injection Em as Em.
    + apply (@forces_own_move (limited G o)) with (q, k); cbn; auto; [now rewrite T|].
      apply in_map_iff. eauto.
    + apply (@forces_other_move (limited G o)); cbn; [now rewrite T | auto | now destruct moves |].
      intros q (r & <- & Hr)%in_map_iff. auto.
Qed.

(** With labels that pass: [s] wins with [k] left exactly if its unlimited distance [d] is at most
    [k], and then its distance is [d]. *)
Corollary limited_wins (G : game) P (L : position G -> label) o s n p k :
  closed P -> passes_on P L -> P p -> o <> Won s ->
  @forces (limited G o) s n (p, k) <-> exists d, L p = WonIn s d /\ d <= n /\ d <= k.
Proof.
  intros C A Pp N. rewrite limited_forces, (certificate_forces P L C A p Pp) by auto. cbn.
  setoid_rewrite Nat.min_glb_iff. reflexivity.
Qed.

(** ** Outcomes without distances *)

Definition outcome_ok {G : game} (O : position G -> outcome) (p : position G) : Prop :=
  let succ := map O (moves p) in
  match terminal p, O p with
  | Some o, x => x = o
  | None, Won w => if side_eq_dec w (mover p) then In (Won w) succ
                   else succ <> [] /\ forall x, In x succ -> x = Won w
  | None, Drawn => In Drawn succ /\ ~ In (Won (mover p)) succ
  end.

(** A side that can force a win is labeled the winner. *)
Theorem outcome_complete (G : game) P (O : position G -> outcome) s n p :
  closed P -> (forall p, P p -> outcome_ok O p) -> forces s n p -> P p -> O p = Won s.
Proof.
  intros C A. induction 1 as [n p T | n p q T M Hq _ IH | n p T M E _ IH]; intros Pp;
    pose proof (A p Pp) as H; unfold outcome_ok in H; rewrite T, ?M in H; [exact H | |].
  - assert (I : In (Won s) (map O (moves p))) by (rewrite <- IH by eauto; now apply in_map).
    destruct (O p) as [w|]; [|now destruct H].
    destruct (side_eq_dec w s) as [->|W]; [reflexivity|]. symmetry. now apply H.
  - assert (I : forall x, In x (map O (moves p)) -> x = Won s).
    { intros x Hx. apply in_map_iff in Hx as (q & <- & Hq). eauto. }
    destruct (O p) as [w|]; [destruct side_eq_dec|]; try now apply I.
    destruct H as [N H], (map O (moves p)) as [|x r]; [easy|].
    rewrite <- (H x) by now left. apply I. now left.
Qed.

(** So "drawn" is true. *)
Corollary outcome_drawn (G : game) P (O : position G -> outcome) p :
  closed P -> (forall p, P p -> outcome_ok O p) -> P p -> O p = Drawn -> no_win p.
Proof. intros C A Pp D s n F. apply (outcome_complete G P O) in F; auto. congruence. Qed.
