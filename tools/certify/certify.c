/* certify: proves a table of distances of a hunt by local checks. It shares nothing with the
 * program that made the table; it was written from the rules and the format's specification.
 *
 *     cc -std=c11 -O2 -pthread certify.c -lzstd -o certify
 *     certify [--threads N] [--memory GIB] NAME.Lnn.dtw.anser[z]
 *
 * The table, raw or packed, has the metric dtw and the index `cross33` or `hunt`. The rules are
 * those of the description in it. The tables of the layers that its moves lead to are in the same
 * directory. Exit status: 0 certified, 1 a position fails, 2 cannot be checked.
 *
 * A label is an outcome with a distance in plies. For one position of each class, with either side
 * to move, the label must follow from the rules and the labels of the successors:
 *
 *   terminal_ok  an end of the game holds: the label is its winner, in 0;
 *   won_ok       won for the mover in d > 0: a successor is won for it in d - 1, none sooner;
 *   lost_ok      lost for the mover in d > 0: all successors are lost, the longest in d - 1;
 *   drawn_ok     drawn: no successor is won for the mover, and one is drawn;
 *   copy_ok      an entry that is not the rank of a position has the label of its class.
 *
 * A pass is an ordinary move. Why it is enough: by induction over d, a label "won in d" gives a
 * strategy that wins within d plies and a defense that lasts d plies; drawn labels let either side
 * keep to drawn positions for ever. The induction needs a labelled set that is closed under moves:
 * each move leads to the same layer, to a layer whose table is present, or to a position that an
 * end decides at once. So a certificate presupposes those of the layers that it names. One
 * position of a class stands for all: each symmetry in use is verified to be an automorphism of
 * the game (steps, jumps, regions, points of ends), and the classes are counted against Burnside's
 * lemma. Values with a side to move that a packed table omits are defined by one ply of
 * look-ahead; a first pass computes them.
 *
 * In memory, the key of an entry is its label as seen by the opponent of the side to move, who has
 * just moved there: loss in d: d; draw: DRAW; win in d: WIN - d. The best move leads to the
 * greatest key, so one comparison per position covers the four conditions. Keys take 2 bytes per
 * entry and side to move, for the layer, and of lower ones for the side that moves leave to move.
 *
 * Not checked: checksums (take a digest of the file). Refused with a sentence: chains of jumps,
 * captures on the target or by the many, layers by advance, jumps in layers by plies, the ends
 * `arrived`, `escaped`, and `behind`, ends with `except-start`, more than 38 points, and more than
 * 128 symmetries. For little-endian machines. */
#define _POSIX_C_SOURCE 200809L
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <zstd.h>

typedef uint8_t u8; typedef uint16_t u16; typedef uint32_t u32; typedef unsigned long long u64;
enum { POINTS = 38, SYMMETRIES = 128, FEW = 0, MANY = 1, NONE = -1, WIN = 65535, DRAW = 32767 };

static void need(bool holds, const char *what) {
    if (!holds) fprintf(stderr, "certify: %s\n", what), _Exit(2);
}
static void *allocate(u64 count, u64 size) {
    void *p = count < (1ull << 48) / size ? calloc(count + 1, size) : NULL;
    need(p != NULL, "not enough memory");
    return p;
}
static int pop(u64 set) { return __builtin_popcountll(set); }
static int low(u64 set) { return __builtin_ctzll(set); }
static u64 bit(int n) { return 1ull << n; }

/* ---- The description: lines of words ---- */

enum { BLOCKED, CAPTURED, FEWER, REACHED, FILLED, OUT_OF_PLIES };
enum { PIECES, PLIES, PLACEMENT };
struct move { u8 from, over, to; };  /* a step has over = from */
struct end { int winner, kind, side, count, to_move; bool after_placement; u64 points; };
struct side {
    char name[64], letter;
    bool compulsory;
    int least, most, hand, moves, steps;
    u64 region, has[POINTS][POINTS], overs[POINTS];  /* has: by from and over, where moves lead */
    struct move move[2 * POINTS * POINTS];           /* the steps, then the jumps */
};
static struct {
    char name[64], rules[64], point[POINTS][16];
    int points, x[POINTS], y[POINTS], ends, plies, layers;
    u64 all;
    struct end end[64];
    struct side side[2];
} G = {.layers = NONE};

static char *word(char **at) {  /* takes the next word of a line; NULL at its end */
    char *start = *at, *space = start ? strchr(start, ' ') : NULL;
    if (space) *space = 0;
    *at = space ? space + 1 : NULL;
    return start;
}
static int number(const char *w, int most) {
    int n = w && *w ? 0 : most + 1;
    for (; n <= most && *w; w++) n = *w >= '0' && *w <= '9' ? 10 * n + (*w - '0') : most + 1;
    need(n <= most, "a number is missing, wrong, or too large");
    return n;
}
static u8 point(const char *w) { return (u8)number(w, G.points - 1); }
static int named(const char *w, const char *words) {  /* words: each with a space after it */
    size_t n = 0, length = w ? strlen(w) : 0;
    for (const char *at = words; *at && length; at = strchr(at, ' ') + 1, n++)
        if (!strncmp(at, w, length) && at[length] == ' ') return (int)n;
    fprintf(stderr, "certify: `%s` in the description; supported here: %s\n", w ? w : "", words);
    _Exit(2);
}
static void read_moves(struct side *s, bool jumps, char *at) {
    for (char *w; (w = word(&at)); s->moves++, s->steps += !jumps) {
        char *over = strchr(w, '-'), *to = jumps && over ? strchr(over + 1, '-') : over;
        need(to && s->moves < 2 * POINTS * POINTS, "description: wrong move, or too many");
        *over = *to = 0;
        struct move m = {.from = point(w), .to = point(to + 1)};
        m.over = jumps ? point(over + 1) : m.from;
        need(m.to != m.from && m.to != m.over && jumps == (m.over != m.from), "wrong move");
        s->move[s->moves] = m, s->has[m.from][m.over] |= bit(m.to);
        if (jumps) s->overs[m.from] |= bit(m.over);
    }
}
static void read_side(struct side *s, char *at) {
    int key = named(word(&at), "noun piece order start name letters number hand region steps jumps "
                               "compulsory ");
    if (key == 4) snprintf(s->name, sizeof s->name, "%s", at ? at : "");
    if (key == 5) s->letter = at ? *at : 0;
    if (key == 6) s->least = number(word(&at), POINTS), s->most = number(at, POINTS);
    if (key == 7) s->hand = number(at, POINTS);
    for (char *w; key == 8 && (w = word(&at));) s->region |= bit(point(w));
    if (key == 9 || key == 10) read_moves(s, key == 10, at);
    if (key == 11) s->compulsory = true;
}
static void read_end(char *at) {
    struct end *e = &G.end[G.ends++];
    char *text = strstr(at, " = ");
    need(text && G.ends < 64, "description: an end without a text, or too many ends");
    *text = 0;
    e->winner = named(word(&at), "few many "), e->to_move = NONE;
    e->kind = named(word(&at), "blocked captured fewer reached filled out-of-plies ");
    if (e->kind <= FILLED) e->side = named(word(&at), "few many ");
    if (e->kind == FEWER) e->count = number(word(&at), POINTS);
    for (char *w; (w = word(&at));) {
        if (!strcmp(w, "to-move")) e->to_move = named(word(&at), "few many ");
        else if (!strcmp(w, "after-placement")) e->after_placement = true;
        else if (e->kind == REACHED || e->kind == FILLED) e->points |= bit(point(w));
        else named(w, "to-move after-placement ");
    }
    need(e->kind != CAPTURED || (G.ends == 1 && e->to_move == NONE && !e->after_placement &&
         e->side == FEW && e->winner == FEW), "`captured` other than as the first end, of the few");
}
/* Prints each line, which is a rule, and takes it in. Only the meaning of these words is used. */
static void read_description(char *at) {
    bool out_of_plies = false, seen[13] = {false};
    for (const char *c = at; *c; c++)
        need(*c == '\n' || (unsigned char)*c >= ' ', "description: a character that is no text");
    for (bool first = true; at && *at; first = false) {
        char *line = at, *end = strchr(at, '\n'), *name, *x;
        at = end ? end + 1 : NULL;
        if (end) *end = 0;
        printf("rule %s\n", line);
        int key = named(word(&line), "hunt game rules point line word few many first end plies "
                                     "endless layers ");
        need(line && first == (key == 0) && (key || !strcmp(line, "1")), "not a description");
        if (key == 1 || key == 2) snprintf(key == 1 ? G.name : G.rules, 64, "%s", line);
        if (key == 3) {
            name = word(&line), x = word(&line);
            need(x && line && G.points < POINTS, "more than 38 points, or a wrong point");
            snprintf(G.point[G.points], 16, "%s", name);
            G.x[G.points] = atoi(x), G.y[G.points] = atoi(line), G.all |= bit(G.points++);
        }
        if (key == 6 || key == 7) read_side(&G.side[key - 6], line);
        if (key == 9) read_end(line), out_of_plies |= G.end[G.ends - 1].kind == OUT_OF_PLIES;
        need(key == 3 || key == 4 || key == 6 || key == 7 || key == 9 || !seen[key],
             "description: a line that may stand once stands twice");
        seen[key] = true;
        if (key == 10) G.plies = number(line, 250);
        if (key == 12) G.layers = named(line, "pieces plies placement ");
    }
    struct side *few = &G.side[FEW], *many = &G.side[MANY];
    need(few->most && few->least == few->most && many->least <= many->most && G.layers != NONE &&
         (G.layers == PLIES) == (G.plies > 0) && (G.plies > 0 || !out_of_plies),
         "the description is incomplete or not supported");
    need(many->moves == many->steps && (G.layers != PLIES || (few->moves == few->steps &&
         many->least == many->most)), "captures by the many, or jumps in layers by plies");
    need(G.layers == PLACEMENT ? few->hand <= few->most && many->hand <= many->most
                               : !few->hand && !many->hand, "description: a wrong hand");
    if (!few->region) few->region = G.all;
    if (!many->region) many->region = G.all;
}

/* ---- Symmetries ---- */

typedef u64 bytes_map[5][256];  /* a map of sets: the union of the images of their points */
static u8 symmetry[SYMMETRIES][POINTS];
static bytes_map symmetry_map[SYMMETRIES];
static int symmetries;
static bool cross;  /* the index is cross33, otherwise hunt */

static u64 map(bytes_map m, u64 set) {
    return m[0][set & 255] | m[1][set >> 8 & 255] | m[2][set >> 16 & 255] | m[3][set >> 24 & 255] |
           m[4][set >> 32 & 255];
}
static void make_map(bytes_map m, const u64 *images) {
    for (u32 n = 0; n < 5; n++)
        for (u32 v = 1; v < 256; v++)
            m[n][v] = m[n][v & (v - 1)] | images[8 * n + (u32)low(v)];
}
static bool add_symmetry(const u8 *s) {  /* if it is an automorphism */
    u64 images[40] = {0};
    need(symmetries < SYMMETRIES, "more than 128 symmetries are not supported");
    for (int p = 0; p < G.points; p++) images[p] = bit(s[p]);
    bytes_map *m = &symmetry_map[symmetries];
    make_map(*m, images);
    bool holds = map(*m, G.all) == G.all;
    for (int n = 0; n < G.ends; n++) holds &= map(*m, G.end[n].points) == G.end[n].points;
    for (const struct side *side = G.side; side < G.side + 2; side++) {
        holds &= map(*m, side->region) == side->region;
        for (const struct move *v = side->move; v < side->move + side->moves; v++)
            holds &= side->has[s[v->from]][s[v->over]] >> s[v->to] & 1;
    }
    if (holds) memcpy(symmetry[symmetries++], s, POINTS);
    return holds;
}
/* Backtracking; the points of `done` have images. The next point is a neighbor of one of them. */
static void search_symmetries(u64 done, u8 *image, u64 used) {
    u64 next = 0;
    for (u64 r = done; r; r &= r - 1)
        next |= (G.side[FEW].has[low(r)][low(r)] | G.side[MANY].has[low(r)][low(r)]) & ~done;
    int p = next ? low(next) : low(~done);
    if (done == G.all) add_symmetry(image);
    for (int q = 0; done != G.all && q < G.points; q++) {
        bool fits = !(used >> q & 1);
        for (u64 rest = done; fits && rest; rest &= rest - 1)
            for (int side = 0, a = low(rest), b = image[a]; side < 2; side++) {
                const struct side *s = &G.side[side];
                fits &= (s->has[p][p] >> a & 1) == (s->has[q][q] >> b & 1) &&
                        (s->has[a][a] >> p & 1) == (s->has[b][b] >> q & 1);
            }
        image[p] = (u8)q;
        if (fits) search_symmetries(done | bit(p), image, used | bit(q));
    }
}
/* The symmetries of the index must be all automorphisms. In cross33, step 1, they have numbers. */
static void find_symmetries(int order) {
    u8 image[POINTS] = {0}, sorted[SYMMETRIES][POINTS];
    search_symmetries(0, image, 0);
    need(symmetries == order, "the index has another number of symmetries than the description");
    if (!cross) return;
    need(G.points == 33 && G.side[FEW].most == 1 && order <= 8, "cross33: another board");
    for (int p = 0, n = 0; n < 49; n++)  /* step 1: the points by y, then x */
        if ((n % 7 > 1 && n % 7 < 5) || (n / 7 > 1 && n / 7 < 5))
            need(G.x[p] == n % 7 && G.y[p] == n / 7, "cross33: other coordinates"), p++;
    memcpy(sorted, symmetry, sizeof sorted), symmetries = 0;
    for (int s = 0; s < order; s++)  /* e4 and d5 are points 17 and 23, d4 is at (3, 3) */
        for (int n = 0; n < order; n++) {
            int e4 = sorted[n][17], d5 = sorted[n][23];
            int x = G.x[e4] + G.x[d5], y = G.y[e4] + G.y[d5];
            if (s == (G.y[e4] != 3) * 4 + (y < 6) * 2 + (x < 6)) add_symmetry(sorted[n]);
        }
    need(symmetries == order, "cross33: another group");
}

/* ---- Arrangements of the few ---- */

struct arrangement { u64 best; u32 orbit, symmetry; };  /* the symmetry leads to `best` */
static u64 *orbits[POINTS + 1];                         /* representatives, by number of the few */
static u32 orbit_count[POINTS + 1];
static struct arrangement *arrangements[POINTS + 1];
static u64 choose[POINTS + 1][POINTS + 1];

static struct arrangement *arrangement(u64 set) {  /* by the combinatorial number system */
    u64 place = 0;
    for (u64 s = set, n = 1; s; s &= s - 1, n++) place += choose[low(s)][n];
    return &arrangements[pop(set)][place];
}
/* Representatives: the least set; in cross33, step 2, the point with the greatest (x, y). */
static u64 order_of(u64 few) { return cross ? (u64)(G.x[low(few)] * 8 + G.y[low(few)]) : ~few; }

static void find_orbits(int f) {
    u64 count = choose[G.points][f], set = bit(f) - 1;
    need(count <= 1000000, "the few can stand in more than a million ways: not supported");
    if (orbits[f]) return;
    u64 *o = orbits[f] = allocate(count, sizeof *o), ripple;
    struct arrangement *a, *first = arrangements[f] = allocate(count, sizeof *a);
    for (a = first; a < first + count; a++) {  /* sets in ascending order */
        for (u32 s = 0; s < (u32)symmetries; s++) {
            u64 image = map(symmetry_map[s], set);
            if (s == 0 || order_of(image) > order_of(a->best)) a->best = image, a->symmetry = s;
        }
        if (a->best == set) {
            u32 at = orbit_count[f]++;
            for (; cross && at && order_of(o[at - 1]) > order_of(set); at--) o[at] = o[at - 1];
            o[at] = set;
        }
        ripple = set + (set & -set);
        if (set) set = ripple | (set ^ ripple) >> 2 >> low(set);
    }
    for (u32 n = 0; n < orbit_count[f]; n++) arrangement(o[n])->orbit = n;
    for (a = first; a < first + count; a++) a->orbit = arrangement(a->best)->orbit;
}

/* ---- The index: layers, segments, rows ---- */

/* A set of the many is read in the coordinates of its segment, the points on which they may stand:
 * the high bits are the row, the low bits the column. A line is a row whose columns are entries;
 * other rows of cross33 are images of lines. */
struct row { u64 start; const u16 *column; };
struct line { u64 start; const u16 *words; u32 high, count; };
struct rows { int low_bits; u32 lines; u64 size; struct row *row; struct line *line; };
struct segment { u64 few, start; const struct rows *rows; };
struct layer {
    int number, f, k, captured, hand[2];
    int same, after[2];  /* the layer after a step; after a jump or a placement, or NONE */
    bool jump_ends;      /* an end holds after any jump: the number of the many decides */
    bool quiet;          /* no end but `blocked` and `captured` can hold */
    u64 entries;
    u32 segments;        /* one for each orbit of the few */
    struct segment *segment;
    const struct header *table;
    u16 *keys[2];        /* by the side to move */
};
static const u8 groups[10] = {0x01, 0x03, 0x05, 0x09, 0x11, 0x81, 0x0F, 0x69, 0x99, 0xFF};
static struct { u16 *word[17]; u32 count[17]; } words[10];  /* by group: words that are least */
static u8 cross_point[32];                                  /* of coordinates */
static bytes_map cross_bits, cross_board, cross_image[8];   /* to coordinates; back; in them */

static u64 coordinates(u64 few, u64 many) {  /* many: no points of the few */
    if (cross) return map(cross_bits, many) | (many >> 16 & 1 ? map(cross_bits, few) : 0);
    for (u64 p; few; few ^= p)  /* takes out the points of the few, the last first */
        p = bit(63 - __builtin_clzll(few)), many = (many & (p - 1)) | (many >> 1 & ~(p - 1));
    return many;
}
static u64 board_of(u64 few, u64 set) {
    u64 many = cross ? map(cross_board, set) : set;
    if (cross) return many & few ? (many & ~few) | bit(16) : many;  /* d4 is point 16 */
    for (u64 p; few; few ^= p) p = few & -few, many = (many & (p - 1)) | (many & ~(p - 1)) << 1;
    return many;
}
static u64 least_image(int group, u64 set) {
    u64 least = set, image;
    for (int s = 1; s < symmetries && cross; s++)
        if (groups[group] >> s & 1 && (image = map(cross_image[s], set)) < least) least = image;
    return least;
}
static void make_words(void) {
    u64 bits[40] = {0}, board[40] = {0}, images[40] = {0};
    for (int p = 0, n[2] = {0, 16}; cross && p < 33; p++) {  /* cross33, step 3 */
        int square = (G.x[p] - 3) * (G.x[p] - 3) + (G.y[p] - 3) * (G.y[p] - 3);
        int at = square ? n[square != 1 && square != 2 && square != 5]++ : 0;
        if (square) cross_point[at] = (u8)p, bits[p] = bit(at), board[at] = bit(p);
    }
    make_map(cross_bits, bits), make_map(cross_board, board);
    for (int s = 0; s < symmetries && cross; s++) {
        for (int n = 0; n < 32; n++) images[n] = bits[symmetry[s][cross_point[n]]];
        make_map(cross_image[s], images);
    }
    for (int g = 0; g < 10 && (cross || g == 0); g++)
        for (u32 w = 0, c; w < 1 << 16 && !(groups[g] >> (cross ? symmetries : 1)); w++) {
            if (!words[g].word[c = (u32)pop(w)]) words[g].word[c] = allocate(choose[16][c], 2);
            if (least_image(g, w) == w) words[g].word[c][words[g].count[c]++] = (u16)w;
        }
}
/* For each inner word the place, among the words under a group, of the class of its image. */
static const u16 *column_of(int g, int s) {
    static u16 *columns[10][8], place[1 << 16];
    u16 *c = columns[g][s];
    if (c) return c;
    for (int n = 0; n <= 16; n++)
        for (u32 i = 0; i < words[g].count[n]; i++) place[words[g].word[n][i]] = (u16)i;
    c = columns[g][s] = allocate(1 << 16, 2);
    for (u32 w = 0; w < 1 << 16; w++) c[w] = place[least_image(g, s ? map(cross_image[s], w) : w)];
    return c;
}
static struct rows *new_rows(int low_bits, int high_bits) {
    struct rows *r = allocate(1, sizeof *r);
    *r = (struct rows){low_bits, 0, 0, allocate(bit(high_bits), sizeof *r->row),
                       allocate(bit(high_bits), sizeof *r->line)};
    return r;
}
static void add_line(struct rows *r, u32 high, int group, int bits) {
    u32 count = r->low_bits < 16 ? (u32)choose[r->low_bits][bits] : words[group].count[bits];
    r->line[r->lines++] = (struct line){r->size, words[group].word[bits], high, count};
    r->row[high] = (struct row){r->size, column_of(group, 0)};
    r->size += count;
}
static const struct rows *cross_rows(u64 fox, int geese) {  /* cross33, steps 4 and 5 */
    static u8 group[1 << 16], best[1 << 16];
    struct rows *r = new_rows(16, 16);
    bool present[17][10] = {{false}};
    for (u64 o = 0; o < 1 << 16; o++) {
        u64 fixed = 0, least = o << 16, image;
        for (int s = best[o] = 0; s < symmetries; s++) {
            if (map(symmetry_map[s], fox) != fox) continue;
            if ((image = map(cross_image[s], o << 16)) < least) least = image, best[o] = (u8)s;
            if (image == o << 16) fixed |= bit(s);
        }
        for (group[o] = 0; group[o] < 9 && groups[group[o]] != fixed;) group[o]++;
        present[pop(o)][group[o]] |= !best[o];
    }
    for (int n = 0, k = 0; n < 170; k = ++n / 10)  /* by outer geese, by group, by outer word */
        for (u32 o = 0; o < 1 << 16 && present[k][n % 10] && k <= geese && geese - k <= 16; o++)
            if (!best[o] && group[o] == n % 10 && pop(o) == k) add_line(r, o, n % 10, geese - k);
    for (u64 o = 0; o < 1 << 16; o++) {
        u64 least = map(cross_image[best[o]], o << 16) >> 16;
        r->row[o] = (struct row){r->row[least].start, column_of(group[least], best[o])};
    }
    return r;
}
static const struct rows *hunt_rows(int n, int k) {
    int low_bits = n < 12 ? n : n < 28 ? 12 : 16;
    struct rows *r = new_rows(low_bits, n - low_bits);
    for (u32 high = 0; high < bit(n - low_bits); high++)
        if (pop(high) <= k && k - pop(high) <= low_bits) add_line(r, high, 0, k - pop(high));
    return r;
}
/* The number of the layer by placement with so many captured and on the board; with `l` sets these
 * from the number. */
static int placement(int wanted, int captured, int f, int k, struct layer *l) {
    const struct side *few = &G.side[FEW], *many = &G.side[MANY];
    int n = 0;
    for (int c = many->most - many->least; c >= 0; c--)
        for (int on = few->most; on >= few->most - few->hand; on--)
            for (int b = many->most - c; b >= 0 && b >= many->most - c - many->hand; b--, n++) {
                if (l ? n != wanted : c != captured || on != f || b != k) continue;
                if (l) l->captured = c, l->f = on, l->k = b;
                return n;
            }
    return NONE;
}
static struct layer *make_layer(int number) {
    struct layer *l = allocate(1, sizeof *l);
    const struct side *few = &G.side[FEW], *many = &G.side[MANY];
    *l = (struct layer){.number = number, .f = few->most, .k = many->most, .quiet = true};
    if (G.layers == PIECES) l->k = number;
    if (G.layers == PLACEMENT) number = placement(number, 0, 0, 0, l);
    need(number >= 0 && l->k <= many->most && (G.layers != PLIES || number <= G.plies) &&
         l->f + l->k <= G.points, "the description has no such layer");
    l->same = G.layers == PLIES ? number - 1 : number;
    l->hand[FEW] = few->most - l->f;
    l->hand[MANY] = G.layers == PLACEMENT ? many->most - l->captured - l->k : 0;
    for (const struct end *e = G.end; e < G.end + G.ends; e++) {
        int pieces = (e->side == FEW ? l->f : l->k) + l->hand[e->side];
        l->quiet &= e->kind == BLOCKED || e->kind == CAPTURED ||
                    (e->kind == FEWER && pieces >= e->count);
        l->jump_ends |= e->kind == CAPTURED || (e->kind == FEWER && e->side == MANY &&
                        pieces <= e->count && e->to_move == NONE && !e->after_placement);
    }
    l->after[MANY] = l->hand[MANY] ? placement(0, l->captured, l->f, l->k + 1, NULL) : NONE;
    l->after[FEW] = l->hand[FEW] ? placement(0, l->captured, l->f + 1, l->k, NULL)
                  : few->moves == few->steps || l->jump_ends || !l->k ? NONE
                  : G.layers == PIECES ? l->k - 1
                  : placement(0, l->captured + 1, l->f, l->k - 1, NULL);
    find_orbits(l->f);
    const struct rows *rows = cross ? NULL : hunt_rows(G.points - l->f, l->k);
    l->segment = allocate(l->segments = orbit_count[l->f], sizeof *l->segment);
    for (u32 n = 0; n < l->segments; n++) {
        u64 at = orbits[l->f][n];
        l->segment[n] = (struct segment){at, l->entries, cross ? cross_rows(at, l->k) : rows};
        l->entries += l->segment[n].rows->size;
    }
    return l;
}
static u64 rank_of(const struct segment *s, u64 set) {
    const struct row *r = &s->rows->row[set >> s->rows->low_bits];
    return s->start + r->start + r->column[set & (bit(s->rows->low_bits) - 1)];
}
/* Counts classes by Burnside's lemma: the mean number of arrangements that a symmetry fixes, which
 * are unions of its cycles. */
static u64 count_classes(const struct layer *l) {
    u64 sum = 0;
    for (int s = 0; s < symmetries; s++) {
        u64 ways[POINTS + 1][POINTS + 1] = {{1}}, seen = 0, cycle;  /* by few and many */
        for (int p = 0, q, n; p < G.points; p++, seen |= cycle) {
            for (cycle = 0, q = p; !((seen | cycle) >> q & 1); q = symmetry[s][q]) cycle |= bit(q);
            n = pop(cycle);
            for (int f = n ? l->f : -1; f >= 0; f--)
                for (int k = l->k; k >= 0; k--)
                    ways[f][k] += (f >= n ? ways[f - n][k] : 0) + (k >= n ? ways[f][k - n] : 0);
        }
        sum += ways[l->f][l->k];
    }
    return sum / (u64)symmetries;
}

/* ---- Table files ---- */

struct header {
    char signature[8]; u16 version; u8 kind, complete; u32 length; char game[32], rules[64];
    u64 fingerprint; u16 layer; u8 metric, bits; char meaning[4], scheme[16]; u16 scheme_version;
    u16 symmetries; u32 zeros; u64 entries[2], outcomes[2][3], payload, payload_length, checks;
    u64 checks_length, checks_hash; u8 digest[32], generator[32], stored, level, more_zeros[2];
    u32 block; u64 blocks[2], text, text_length, text_hash; u16 longest[2][2];
};
static const char *path;
static struct layer *layers[1 << 16];  /* those in use */
static const struct header *own;       /* of the table that is checked */
static u64 memory;                     /* bytes that keys may still take */

static u64 block_size(const struct header *h) { return h->kind ? h->block : 64; }
static u64 blocks_of(const struct header *h, int side) {  /* frames, or groups of a raw table */
    return (h->entries[side] + block_size(h) - 1) / block_size(h);
}
static const struct header *open_table(const char *name, int layer) {  /* NULL if there is none */
    struct stat status;
    int file = open(name, O_RDONLY);
    if (file < 0) return NULL;
    need(!fstat(file, &status) && status.st_size >= 4096, "not a table: too short");
    u64 size = (u64)status.st_size, blocks = 0, top = 0;
    const struct header *h = mmap(NULL, size, PROT_READ, MAP_SHARED, file, 0);
    need((const void *)h != MAP_FAILED && !close(file), "the table cannot be read");
    need(!memcmp(h, "\x89HUNT\r\n\x1a\1\0", 10) && h->kind < 2 && h->complete == 1 &&
         h->length == 4096, "not a table of version 1, or not complete");
    need(h->metric == 1 && !memcmp(h->meaning, "D12+", 4), "not a table of distances (dtw)");
    if (layer == NONE) cross = !strncmp(h->scheme, "cross33", 16);
    need(!strncmp(h->scheme, cross ? "cross33" : "hunt", 16) && h->scheme_version == 1,
         "an index other than version 1 of cross33 or hunt");
    need(h->payload == 4096 && h->payload_length <= size && h->checks_length <= size &&
         h->text <= size && h->checks <= size && h->checks % 8 == 0 &&
         h->checks >= 4096 + h->payload_length &&
         h->checks + h->checks_length == h->text && h->text_length <= 1 << 18 &&
         h->text + h->text_length == size, "wrong offsets or lengths");
    need(!own || (layer == h->layer && h->text_length == own->text_length && !memcmp(
         (const u8 *)h + h->text, (const u8 *)own + own->text, own->text_length)), "another game");
    for (u32 n = 0; n < 4; n++) {
        u16 code = h->longest[n / 2][n % 2];
        need((!code || code % 2 != n % 2) && code <= 60000, "wrong largest codes"), top |= code;
    }
    need(h->kind ? h->stored >= 1 && h->stored <= 3 && h->block >= 64 && h->block <= 1 << 20
                 : !h->stored && !h->block, "wrong stored sides or blocks");
    for (int side = 0; side < 2; side++) {
        need(h->entries[side] < 1ull << 40, "too many entries");
        if (!h->kind || h->stored >> side & 1) blocks += blocks_of(h, side);
    }
    need(h->bits == (top ? 64 - __builtin_clzll(top) : 1), "wrong number of bits");
    need(h->kind ? h->checks_length == 16 * blocks + 8 : h->payload_length == 8 * h->bits * blocks,
         "wrong length of the payload or of the index of frames");
    const u64 *frame = (const u64 *)((const u8 *)h + h->checks);
    for (u64 n = 0; h->kind && n < 2 * blocks; n += 2)
        need(frame[n] < frame[n + 2] && frame[n + 2] <= h->payload_length, "frames out of order");
    return h;
}
static struct layer *layer_of(int number) {  /* NULL if its table is absent */
    if (number < 0 || number > 65535 || layers[number]) return number < 0 ? NULL : layers[number];
    const char *dot = NULL;
    for (const char *at = path; (at = strstr(at, ".L")); at++) dot = at + 2;
    need(dot && strstr(dot, ".dtw.anser") && strlen(path) < 4000, "the file is not named "
         "NAME.Lnn.dtw.anser or NAME.Lnn.dtw.anserz");
    need(atoi(dot) == own->layer, "the name of the file has another layer");
    char name[4100];
    sprintf(name, "%.*s%02d.dtw.anser", (int)(dot - path), path, number);
    const struct header *h = number == own->layer ? own : open_table(name, number);
    if (!h) h = open_table(strcat(name, "z"), number);
    if (!h) return NULL;
    struct layer *l = layers[number] = make_layer(number);
    need(l->entries == h->entries[0] && l->entries == h->entries[1],
         "the number of entries is not that of the index");
    l->table = h;
    return l;
}

/* ---- Decoding ---- */

/* The codes of a side in the order of the file: a raw group or a packed frame at a time. */
struct stream { const struct header *table; int side; u64 next, at, count, *codes; };

static void refill(struct stream *s) {
    const struct header *h = s->table;
    u64 size = block_size(h), left = h->entries[s->side] - s->next * size, block = s->next++;
    s->count = left < size ? left : size, s->at = 0;
    if (s->side && h->stored != 2) block += blocks_of(h, 0);
    if (!h->kind) memset(s->codes, 0, 64 * sizeof *s->codes);
    for (u64 b = 0; !h->kind && b < h->bits; b++) {
        u64 plane = ((const u64 *)h)[512 + block * h->bits + b];
        need(s->count == 64 || !(plane >> s->count), "bits beyond the last entry are not zero");
        for (u64 n = 0; plane && n < 64; n++) s->codes[n] |= (plane >> n & 1) << b;
    }
    if (!h->kind) return;
    const u64 *frame = (const u64 *)((const u8 *)h + h->checks) + 2 * block;
    const u8 *data = (const u8 *)h + 4096 + frame[0];
    need(data[0] < 4, "a frame of an unknown form");
    u64 length = s->count << data[0] / 2;
    u8 *numbers = allocate(length, 1);
    need(ZSTD_decompress(numbers, length, data + 1, frame[2] - frame[0] - 1) == length, "damage");
    for (u64 n = 0; n < s->count; n++) {
        u64 v = numbers[n] | (data[0] & 2 ? (u64)numbers[s->count + n] << 8 : 0);
        /* Form 1: 0, or one more than the plies; the side to move wins in an odd number. */
        s->codes[n] = data[0] & 1 && v ? 2 * v - 1 + (u64)(v % 2 ? !s->side : s->side) : v;
    }
    free(numbers);
}
static u16 next_key(struct stream *s) {
    if (s->at == s->count) refill(s);
    u64 code = s->codes[s->at++], plies = (code - 1) / 2;
    int winner = code % 2 ? FEW : MANY;
    if (!code) return DRAW;
    need(code <= s->table->longest[s->side][winner], "a code above the largest of the header");
    return (u16)(winner == s->side ? plies : WIN - plies);
}
/* Packing order of cross33: the permutation of ascending words of a half, by the words with their
 * points in order of distance, the farthest first. */
static u16 *permutation(int fox, int half, const struct line *line, const u16 *columns, u64 count) {
    static u32 slot[1 << 16];
    int order[16], distance[16];
    u16 *result = allocate(count, 2), *to = result;
    for (int n = 0; n < 16; n++) {
        int x = G.x[cross_point[16 * half + n]], y = G.y[cross_point[16 * half + n]], at = n;
        distance[n] = (x - G.x[fox]) * (x - G.x[fox]) + (y - G.y[fox]) * (y - G.y[fox]) +
                      2 * (x - 3) * (x - 3) + 2 * (y - 3) * (y - 3);
        for (; at && distance[order[at - 1]] < distance[n]; at--) order[at] = order[at - 1];
        order[at] = n;
    }
    memset(slot, 0, sizeof slot);
    for (u32 n = 0, value = 0; n < count; slot[value] = ++n, value = 0)
        for (u32 b = 0, w = columns ? columns[n] : line[n].high; b < 16; b++)
            value |= (w >> order[b] & 1) << b;
    for (u32 value = 0; value < 1 << 16; value++)
        if (slot[value]) *to++ = (u16)(slot[value] - 1);
    return result;
}
/* A part of the packing order of grids, which are the lines with the same words: whole groups of
 * 64 rows; whole groups of 64 columns of the other rows; the rest. */
static void decode_part(const struct layer *l, int part, struct stream *in, u16 *keys) {
    for (const struct segment *s = l->segment; s < l->segment + l->segments; s++)
        for (const struct line *at = s->rows->line, *end = at + s->rows->lines, *from; at < end;) {
            for (from = at; at < end && at->words == from->words;) at++;
            u64 rows = (u64)(at - from), columns = from->count;
            u64 top = rows / 64 * 64, whole = columns / 64 * 64;
            if (part == 0 ? !top : rows == top) continue;
            u16 *row = permutation(low(s->few), 1, from, NULL, rows);
            u16 *column = permutation(low(s->few), 0, NULL, from->words, columns);
            u16 *out = keys + s->start + from->start;
            for (u64 n = 0; part == 0 && n < top * columns; n++)
                out[row[n / 64 / columns * 64 + n % 64] * columns + column[n / 64 % columns]] =
                    next_key(in);
            for (u64 n = 0, rest = rows - top; part == 1 && n < whole * rest; n++)
                out[row[top + n / 64 % rest] * columns + column[n / 64 / rest * 64 + n % 64]] =
                    next_key(in);
            for (u64 r = top; r < rows && part == 2; r++)
                for (u64 c = whole; c < columns; c++)
                    out[row[r] * columns + column[c]] = next_key(in);
            free(row), free(column);
        }
}

/* ---- The rules ---- */

struct context {  /* of a thread: where it works, and what it has counted */
    const struct segment *segment;
    u64 bit[POINTS];                          /* coordinates of points */
    int stabilizer[SYMMETRIES], stabilizers;  /* symmetries that keep the few */
    u64 classes, tally[2][5];  /* won for the few, drawn, won for the many; largest codes */
};
static const struct layer *checked;

/* The winner by the first end that holds; `blocked`: the side to move has no move. */
static int ended(const struct layer *l, u64 few, u64 many, int turn, bool blocked) {
    for (const struct end *e = G.end; e < G.end + G.ends; e++) {
        u64 set = e->side == FEW ? few : many;
        bool holds = (e->kind == BLOCKED && blocked && turn == e->side) ||
                     (e->kind == FEWER && pop(set) + l->hand[e->side] < e->count) ||
                     (e->kind == REACHED && set & e->points) ||
                     (e->kind == FILLED && !(e->points & ~set)) ||
                     (e->kind == OUT_OF_PLIES && l->number == 0);
        if (holds && (e->to_move == NONE || e->to_move == turn) &&
            !(e->after_placement && l->hand[FEW] + l->hand[MANY])) return e->winner;
    }
    return NONE;
}
static const struct layer *loaded(int number, int side) {
    const struct layer *l = number < 0 ? NULL : layers[number];
    need(l && l->keys[side], "a move leads to a layer whose table is absent");
    return l;
}
static int key_of(int number, int side, u64 few, u64 many) {
    const struct layer *l = loaded(number, side);
    const struct arrangement *a = arrangement(few);
    if (a->best != few) many = map(symmetry_map[a->symmetry], many);
    return l->keys[side][rank_of(&l->segment[a->orbit], coordinates(a->best, many))];
}
/* The same after a move of the many: the segment and its coordinates stay. */
static int key_near(const struct context *c, int number, u64 set) {
    const struct layer *l = loaded(number, FEW);
    return l->keys[FEW][rank_of(&l->segment[c->segment - checked->segment], set)];
}
/* The same after a jump, which may end the game. The pieces in hand stay. */
static int key_after_jump(u64 few, u64 many) {
    if (G.end[0].kind == CAPTURED) return WIN;
    if (!checked->jump_ends) return key_of(checked->after[FEW], MANY, few, many);
    int winner = ended(checked, few, many, MANY, false);
    need(winner == ended(checked, few, many, MANY, true), "`blocked` before the end after a jump");
    return winner == FEW ? WIN : 0;
}
static void print_label(const char *before, int key, int side) {
    if (key == DRAW) printf("%s drawn", before);
    else printf("%s won for the %s in %d", before, G.side[key < DRAW ? side : !side].name,
                key < DRAW ? key : WIN - key);
}
static bool replay, printing;  /* the unit with the first failure runs again to print it */

static void found(int key, int side, int *best) {
    if (printing) print_label("\nsuccessor", key, !side);
    if (key > *best) *best = key;
}
/* The key of the best move, or NONE. */
static int best_key(const struct context *c, int side, u64 set, u64 many) {
    const struct layer *l = checked;
    const struct side *s = &G.side[side];
    u64 few = c->segment->few, empty = G.all & ~few & ~many, own_side = side == FEW ? few : many;
    int best = NONE, after = l->after[side];
    for (u64 to = l->hand[side] ? s->region & empty : 0; to; to &= to - 1)
        found(side == FEW ? key_of(after, MANY, few | (to & -to), many)
                          : key_near(c, after, set | c->bit[low(to)]), side, &best);
    if (l->hand[side]) return best;
    for (u64 from = own_side; from && side == FEW; from &= from - 1)
        for (u64 over = s->overs[low(from)] & many; over; over &= over - 1)
            for (u64 to = s->has[low(from)][low(over)] & empty; to; to &= to - 1) {
                u64 then = few ^ (from & -from) ^ (to & -to);
                found(key_after_jump(then, many ^ (over & -over)), side, &best);
            }
    if (best != NONE && s->compulsory) return best;
    for (u64 from = own_side; from; from &= from - 1)
        for (u64 to = s->has[low(from)][low(from)] & empty; to; to &= to - 1)
            found(side == FEW ? key_of(l->same, MANY, few ^ (from & -from) ^ (to & -to), many)
                  : key_near(c, l->same, set ^ c->bit[low(from)] ^ c->bit[low(to)]), side, &best);
    return best;
}
/* The key that the label must have; *winner: of a terminal position, or NONE. */
static int right_key(const struct context *c, int side, u64 set, u64 many, int *winner) {
    u64 few = c->segment->few;
    *winner = checked->quiet ? NONE : ended(checked, few, many, side, false);
    bool over = *winner != NONE && *winner == ended(checked, few, many, side, true);
    int best = over ? NONE : best_key(c, side, set, many);
    if (!over && best == NONE) *winner = ended(checked, few, many, side, true);
    if (*winner != NONE) return *winner == side ? 0 : WIN;                /* terminal_ok */
    if (best == NONE) best = key_of(checked->same, !side, few, many);     /* a pass */
    if (best == DRAW) return DRAW;                                        /* drawn_ok */
    return best > DRAW ? WIN - best + 1 : WIN - best - 1;                 /* won_ok, lost_ok */
}

/* ---- The check ---- */

enum { SLICES = 64 };             /* a unit of work is one slice of the lines of a segment */
static struct context *contexts;  /* of the threads */
static int threads, omitted;      /* omitted: the side whose keys a pass computes, or NONE */
static atomic_ullong next_unit, failed_unit = UINT64_MAX;  /* failed: the first one that fails */

/* Prints the first position that fails, and exits. */
static void report(const struct context *c, u64 rank, u64 set, int side, bool copy) {
    const struct segment *s = c->segment;
    int key = checked->keys[side][rank], winner;
    u64 many = board_of(s->few, set);
    printing = true;
    int right = right_key(c, side, set, many, &winner);
    printf("\nfails %s\nrank %llu\nposition", copy ? "copy_ok" : winner != NONE ? "terminal_ok" :
           key == DRAW ? "drawn_ok" : key < DRAW ? "won_ok" : "lost_ok", rank);
    for (u64 on = s->few | many; on; on &= on - 1)
        printf(" %c%s", G.side[!(s->few & on & -on)].letter, G.point[low(on)]);
    printf(", %s to move, in hand %d %d, captured %d", G.side[side].name, checked->hand[FEW],
           checked->hand[MANY], checked->captured);
    print_label("\nlabel", key, side);
    print_label("\nby the rules and the successors", right, side);
    printf("\nverdict fails\n"), exit(1);
}
static void check_entry(struct context *c, u64 unit, u64 set, u64 rank) {
    const struct segment *s = c->segment;
    u64 many = board_of(s->few, set), fixed = 0, least = set;
    int winner;
    if (omitted != NONE) {
        checked->keys[omitted][rank] = (u16)right_key(c, omitted, set, many, &winner);
        return;
    }
    for (int n = 0; n < c->stabilizers; n++) {
        u64 image = coordinates(s->few, map(symmetry_map[c->stabilizer[n]], many));
        fixed += image == set;
        if (image < least) least = image;
    }
    need(coordinates(s->few, many) == set && (least != set || rank_of(s, set) == rank),
         "the rank of an entry is not its place");
    c->classes += least == set;
    for (int side = 0; side < 2; side++) {
        int key = checked->keys[side][rank], right = key;
        if (least != set) right = checked->keys[side][rank_of(s, least)];  /* copy_ok */
        else if (!checked->table->kind || checked->table->stored >> side & 1)
            right = right_key(c, side, set, many, &winner);
        for (u64 first = failed_unit; key != right && unit < first;)
            if (atomic_compare_exchange_weak(&failed_unit, &first, unit)) first = unit;
        if (key != right && replay) report(c, rank, set, side, least != set);
        if (least != set) continue;
        u64 code = key == DRAW ? 0 : 2 * (u64)(key < DRAW ? key : WIN - key) + 1;
        winner = key < DRAW ? side : !side, code += code && winner == MANY;
        c->tally[side][!code ? 1 : winner == FEW ? 0 : 2] += (u64)symmetries / fixed;
        if (code > c->tally[side][3 + winner]) c->tally[side][3 + winner] = code;
    }
}
static void enter_segment(struct context *c, const struct segment *s) {
    c->segment = s, c->stabilizers = 0;
    for (int p = 0; p < G.points; p++)
        c->bit[p] = s->few >> p & 1 ? 0 : coordinates(s->few, bit(p));
    for (int n = 0; n < symmetries; n++)
        if (map(symmetry_map[n], s->few) == s->few) c->stabilizer[c->stabilizers++] = n;
}
static void *run(void *context) {
    for (u64 unit; (unit = next_unit++) < checked->segments * SLICES && unit <= failed_unit;) {
        const struct segment *s = &checked->segment[unit / SLICES];
        const struct line *line = s->rows->line;
        u64 n = unit % SLICES * s->rows->lines / SLICES;
        u64 end = (unit % SLICES + 1) * s->rows->lines / SLICES;
        if (n < end) enter_segment(context, s);
        for (; n < end; n++)
            for (u32 i = 0; i < line[n].count && unit < failed_unit + replay; i++)
                check_entry(context, unit, (u64)line[n].high << s->rows->low_bits |
                            line[n].words[i], s->start + line[n].start + i);
    }
    return NULL;
}
/* Checks a layer with all threads, or computes the keys of a side. */
static void pass(const struct layer *l, int side) {
    pthread_t thread[256];
    checked = l, omitted = side, next_unit = 0;
    for (int n = 0; n < threads; n++)
        need(!pthread_create(&thread[n], NULL, run, &contexts[n]), "a thread does not start");
    for (int n = 0; n < threads; n++) pthread_join(thread[n], NULL);
}
static void unload(int number, int side) {
    struct layer *l = layer_of(number);
    free(l->keys[side]), l->keys[side] = NULL, memory += 2 * l->entries;
}
/* Loads the keys of a side of a layer, if its table is there. Whether they were not loaded before. */
static bool load(int number, int side) {
    struct layer *l = layer_of(number);
    if (!l || l->keys[side]) return false;
    bool packed = l->table->kind, stored = !packed || l->table->stored >> side & 1;
    bool same = !stored && load(l->same, !side), after = !stored && load(l->after[side], !side);
    need(2 * l->entries <= memory, "not enough memory for the keys; see --memory");
    memory -= 2 * l->entries;
    u16 *keys = l->keys[side] = allocate(l->entries, 2);
    if (!stored) {
        pass(l, side);
        if (same && number != own->layer) unload(l->same, !side);
        if (after && number != own->layer) unload(l->after[side], !side);
        return true;
    }
    struct stream in = {l->table, side, 0, 0, 0, allocate(block_size(l->table), 8)};
    for (int part = 0; part < 3 && cross && packed; part++) decode_part(l, part, &in, keys);
    for (u64 n = 0; n < l->entries && !(cross && packed); n++) keys[n] = next_key(&in);
    free(in.codes);
    return true;
}

int main(int argc, char **argv) {
    struct timespec begin, now;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    memory = (u64)sysconf(_SC_PHYS_PAGES) * (u64)sysconf(_SC_PAGESIZE) / 4 * 3;
    threads = (int)sysconf(_SC_NPROCESSORS_ONLN);
    if (threads > 256) threads = 256;
    for (int n = 1; n < argc; n++) {
        if (!strcmp(argv[n], "--threads") && n + 1 < argc) threads = number(argv[++n], 256);
        else if (!strcmp(argv[n], "--memory") && n + 1 < argc)
            memory = (u64)number(argv[++n], 1 << 20) << 30;
        else need(argv[n][0] != '-' && !path, "wrong arguments"), path = argv[n];
    }
    need(path && threads > 0, "usage: certify [--threads N] [--memory GIB] NAME.Lnn.dtw.anser[z]");
    for (int n = 0; n <= POINTS; n++)
        for (int k = 0; k <= n; k++)
            choose[n][k] = k == 0 || k == n ? 1 : choose[n - 1][k - 1] + choose[n - 1][k];
    need((own = open_table(path, NONE)) != NULL, "the table cannot be opened");
    char *text = allocate(own->text_length + 1, 1);
    memcpy(text, (const u8 *)own + own->text, own->text_length);
    need(strlen(text) == own->text_length, "a zero in the description");
    read_description(text);
    need(!strncmp(G.name, own->game, 32) && !strncmp(G.rules, own->rules, 64), "another game");
    find_symmetries(own->symmetries);
    make_words();
    contexts = allocate((u64)threads, sizeof *contexts);
    struct layer *l = layer_of(own->layer);
    const struct side *few = &G.side[FEW], *many = &G.side[MANY];
    printf("game %s\nrules %s\nlayer %d\nkind %s\nboard %d points, %d symmetries, few %d steps %d "
           "jumps, many %d steps\npresupposes", G.name, G.rules, l->number, own->kind ? "packed" :
           "raw", G.points, symmetries, few->steps, few->moves - few->steps, many->steps);
    for (int n = 0; n < 3; n++) {
        int before = n < 2 ? l->after[n] : l->same;
        if (before >= 0 && before != l->number) printf(" %d", before);
    }
    /* Lower layers first: what only they need is unloaded again. */
    for (int side = 0; side < 2; side++) load(l->after[side], !side);
    for (int side = 0; side < 2; side++) load(l->same, side), load(l->number, side);
    pass(l, NONE);
    if (failed_unit != UINT64_MAX) {
        replay = true, next_unit = failed_unit;
        run(contexts);
    }
    u64 positions = choose[G.points][l->f] * choose[G.points - l->f][l->k];
    u64 *sum = &contexts->classes;
    for (int n = 1; n < threads; n++)  /* adds counts; the last two of five are maxima */
        for (int i = 0; i < 11; i++) {
            u64 value = (&contexts[n].classes)[i];
            if (i % 5 != 4 && (i % 5 || !i)) sum[i] += value;
            else if (value > sum[i]) sum[i] = value;
        }
    need(sum[0] == count_classes(l), "the number of classes is not Burnside's");
    clock_gettime(CLOCK_MONOTONIC, &now);
    printf("\npositions %llu\nclasses %llu\n", 2 * positions, sum[0]);
    bool right = true;
    for (int side = 0; side < 2; side++) {
        u64 *t = contexts->tally[side];
        printf("%s %llu %llu %llu longest %lld %lld\n", side ? "many-to-move" : "few-to-move", t[0],
               t[1], t[2], ((long long)t[3] + 1) / 2 - 1, ((long long)t[4] + 1) / 2 - 1);
        right &= !memcmp(t, own->outcomes[side], 24) && t[0] + t[1] + t[2] == positions &&
                 t[3] == own->longest[side][0] && t[4] == own->longest[side][1];
    }
    printf("seconds %.3f\n", (double)(now.tv_sec - begin.tv_sec) + 1e-9 * (double)(now.tv_nsec -
           begin.tv_nsec));
    if (!right) printf("fails header: it states other numbers\n");
    printf("verdict %s\n", right ? "certified" : "fails");
    return !right;
}
