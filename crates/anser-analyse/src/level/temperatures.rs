//! Temperatures of the levels by game, the weakest level first.

/// Those of the games they were fitted to, in order of the names.
pub(super) const OF_GAMES: &[(&str, [f64; 4])] = &[
    ("aadu-puli", [1.048, 0.199, 0.159, 0.104]),
    ("adugo", [0.245, 0.283, 0.284, 0.205]),
    ("bagh-chal", [1.152, 0.324, 0.212, 0.123]),
    ("bam-blang", [2.394, 0.629, 0.375, 0.233]),
    ("cercar-la-liebre", [0.415, 0.355, 0.189, 0.097]),
    ("coyote", [0.509, 0.419, 0.300, 0.129]),
    ("el-cazador", [0.381, 0.213, 0.134, 0.101]),
    ("fox-geese", [0.629, 0.205, 0.172, 0.133]),
    ("fox-geese-placed", [0.240, 0.179, 0.141, 0.132]),
    ("fox-hounds", [0.375, 0.375, 0.375, 0.265]),
    ("hare-hounds", [1.254, 0.485, 0.344, 0.188]),
    ("hasenspiel", [0.747, 0.375, 0.344, 0.315]),
    ("hat-diviyan", [0.629, 0.265, 0.188, 0.139]),
    ("hexapawn", [1.490, 0.968, 0.747, 0.485]),
    ("huli-mane", [0.629, 0.223, 0.188, 0.133]),
    ("jeu-de-renard", [0.973, 0.379, 0.257, 0.147]),
    ("jeu-militaire", [0.465, 0.487, 0.375, 0.229]),
    ("juroku-musashi", [0.245, 0.169, 0.140, 0.112]),
    ("kaooa", [0.439, 0.373, 0.302, 0.203]),
    ("ko-app-paw-na", [0.536, 0.299, 0.167, 0.119]),
    ("la-yagua", [0.845, 0.492, 0.365, 0.261]),
    ("main-tapak-empat", [0.181, 0.136, 0.059, 0.042]),
    ("musinaykahwhanmetowaywin", [0.236, 0.188, 0.149, 0.145]),
    ("mysore-three-tigers", [1.697, 0.197, 0.119, 0.064]),
    ("mysore-tiger", [0.699, 0.597, 0.482, 0.310]),
    ("neg-tugal", [1.254, 0.223, 0.103, 0.083]),
    ("orissa-one-tiger", [0.308, 0.303, 0.299, 0.221]),
    ("pulijudamu", [0.906, 0.470, 0.340, 0.233]),
    ("refskak", [1.001, 0.223, 0.186, 0.157]),
    ("thy", [0.629, 0.408, 0.375, 0.254]),
    ("uxrijn-ever", [0.203, 0.175, 0.154, 0.087]),
    ("wolf-and-sheep", [1.254, 0.315, 0.254, 0.172]),
    ("yaguarete-kora", [0.901, 0.195, 0.125, 0.017]),
];

/// Those of every other game: the medians.
pub(super) const OF_OTHERS: [f64; 4] = [0.63, 0.30, 0.21, 0.15];
