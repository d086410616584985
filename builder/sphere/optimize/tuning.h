// SPDX-License-Identifier: GPL-3.0-or-later
// Every tuned constant of the sphere optimiser, with its unit, what it trades and what happens when it is
// changed. Any change of a value changes the bytes of baked spheres.
//
// "Error" is how far a sphere protrudes from the solid. "Mean errors" and "mean costs" are means over the
// spheres of the set that is being fitted, so lengths follow the level; "half diagonals" are the unit of the
// search (search_frame.h).
//
// Measured effect: the constant (or group) halved and doubled, all else as it is, with 15 proposals a sphere
// and one start on one thread.
// Figures are in percent of today's: outside volume of level 2 (64 spheres) and of level 3 (512), and largest
// error of level 3, each the mean of cow and desk-lamp; and the time of both and a torus. One seed only: any
// change draws other random numbers, which moves volumes by about 5, errors and times by about 10. Less than
// that says nothing; a torus, whose level 2 depends on luck, moved by up to 40 and is left out of volumes.
//
// clang-format off
// constant                         halved: L2   L3  error  time   doubled: L2   L3  error  time
//   proposals                              +6   +3     +6    -8            +2   +3     +3   +34
//   kPatches, kPatchesPerSphere            +3   +3     +5    +9            +5   +2     +1   +13
//   k*Samples, k*SamplesPerSphere          +8   +7    +24    -7            +4   +1     +5   +43
//   kErrorKnee, kLastErrorKnee            +26  +45    +81   +20            +2   -0    +13    +6
//   kErrorPenalty                          +4   +1     +4   +12            +6   +7     +9   +11
//   kPatchShare                            +5   +8    +21   +22            +6   -1     +9    -5
//   kFirstTemperature                      +5   +4     +5    +2            +3   +4     +2    +6
//   kRejectThreshold                       +5   +4    +12    -0            +3   -0     -4    -8
//   kClusterSpheres, kLate...              +0   +5     +8    -3            -0   +1     -3   -10
//   steps of descents                      +2   +7     +9   -19            +3   +2     +3   +41
//   penalty weight of descents             +2   +2    +13    +7            +3   -1     -1    +3
//   margins of descents                    +1   +4    +16    +2            +4   +1     +2    -1
//   kFarOut                                +6   +3     +9    +3            +4   +0     -0    +2
//   kBlurWidth                             +6   -1     +1    -4            +7  +18    +36   +20
// clang-format on
#pragma once

#include <cstddef>
#include <cstdint>

namespace espalier::tuning {

// ---- how much is done: proposals and starts (level_fit.cpp) ----

/// From one stage to the next, the number of spheres grows at most by this factor. Larger: a stage begins
/// with many splits at once, which annealing has to repair; smaller: more stages, each with all of its
/// rounds.
inline constexpr std::size_t kStageGrowth = 8;
inline constexpr std::size_t kFastStageGrowth = 64;
/// What one effort does. Proposals are random changes; time is about proportional to them, and more of them
/// gain ever less: 195 and 28 in place of 75 and 19 gained 1 % of volume (geometric mean of four meshes) and
/// took a tenth more time.
struct Effort {
    double proposals;       ///< for each sphere
    double few_proposals;   ///< the same for at most 16 spheres, which are started several times
    double many_proposals;  ///< and for more than 128, which take longest
    /// Sets that are started with where there are few spheres. Fewer: level 1 depends on luck, and all levels
    /// inherit it (5 in place of 16: 2 % more volume at level 1); more: time of level 1.
    std::uint32_t starts;
    std::size_t growth;  ///< of the number of spheres from one stage to the next, at most; see kStageGrowth
    std::size_t rounds;  ///< of kRounds that are run. Fewer: the first distribution stays; more: time
    double detail;       ///< share of the patches and samples below. Less: gaps and noise; more: time
    double steps;        ///< share of the steps of descents. Fewer: spheres stop on their way; more: time
};
/// By SphereEffort: fast, normal, best.
inline constexpr Effort kEfforts[] = {{6.0, 6.0, 6.0, 1, kFastStageGrowth, 1, 0.15, 0.4},
                                      {150.0, 24.0, 19.0, 16, kStageGrowth, 5, 1.0, 1.0},
                                      {375.0, 48.0, 40.0, 31, kStageGrowth, 5, 1.0, 1.0}};
/// After this share of their proposals all starts but the best few are given up. Smaller: good starts are
/// lost; larger: time of level 1.
inline constexpr double kTrialShare = 0.5;
inline constexpr std::size_t kKeptStarts = 6;
/// A level is not refined where its largest error, in radii of the root, is at most this by its number of
/// spheres: more spheres would follow the facets of what is a ball. Larger: levels end short of their count;
/// smaller: time without a gain.
inline constexpr double kErrorFloor = 0.02;
/// Below this length, in the usual distance of centres, pieces of the surface are not split in order to be
/// covered. Larger: spheres grow more for the last pieces; smaller: time of covering.
inline constexpr double kSmallestPiece = 1.0 / 256.0;
/// A parent has at most this many times the mean number of children. Less: fine parts of the surface starve;
/// more: some nodes of the tree are wide, and a query that opens them tests many children.
inline constexpr std::uint32_t kMostChildren = 6;

// ---- stages and rounds (sphere_fit.cpp) ----

/// Spheres of a cluster, at most. Clusters are annealed side by side, but spheres do not move between them:
/// smaller ones are faster on many threads and worse at their borders. After kWholeRounds rounds even a set
/// of only kLateClusterSpheres is cut, so that no thread is idle.
inline constexpr double kClusterSpheres = 128.0;
inline constexpr double kLateClusterSpheres = 24.0;
inline constexpr std::size_t kWholeRounds = 3;

/// One round of annealing.
struct Round {
    double proposals;    ///< share of all proposals
    double temperature;  ///< share of the first temperature
    bool finer;          ///< critical patches are split before it
    bool balance;        ///< spheres move between clusters before it: not at first, when there is one cluster
};
/// Each round has other clusters. Most proposals are made while patches are large and few, and so cheap; the
/// last two rounds settle what finer patches change. More rounds cost a descent and a split of patches each.
inline constexpr Round kRounds[] = {{0.25, 1.0, false, false},
                                    {0.3, 0.6, false, true},
                                    {0.2, 0.3, false, true},
                                    {0.12, 0.1, true, true},
                                    {0.08, 0.03, true, true}};
/// The best round's spheres are taken back if the last one's volume is more than this many times theirs; a
/// little more is due to finer patches. Near 1: the work of fine patches is thrown away; larger: a small set
/// that annealing left uphill stays there.
inline constexpr double kUphill = 1.02;
/// Where clusters are cut, as shares of their spheres: elsewhere each round, so that no border stays.
inline constexpr double kCutShares[] = {0.5, 0.4, 0.6, 0.45, 0.55};
/// Share of a cluster's spheres that come from or go to other clusters at most, each round. More: dropped and
/// split spheres that the rest of the proposals cannot settle; less: a poor first distribution stays.
inline constexpr double kMostMoved = 0.2;
/// Around a cluster, in radii of its largest sphere, samples are known and spheres may grow to. Less: spheres
/// at the border are held back; more: samples that cost time and tell nothing.
inline constexpr float kClusterMargin = 0.75F;
/// No sphere comes from farther away for an uncovered patch, in radii of its surfel: such a patch is on a
/// seam between parents, and cover_level splits it. Larger: spheres that protrude along seams; smaller: more
/// left to cover_level.
inline constexpr float kNearPatch = 24.0F;

// ---- patches and samples (sphere_fit.cpp, fit_patches.cpp) ----

/// Patches of the surface: a number for any set and one for each sphere. Time grows a little with them; fewer
/// leave gaps that spheres must grow over in the end.
inline constexpr double kPatches = 4000.0;
inline constexpr double kPatchesPerSphere = 70.0;
/// Samples of the space around the solid, in the same way: rough ones for the first round, finer ones then,
/// and more for the last descents. Time grows with them; fewer are noise in the cost, to which spheres
/// are fitted.
inline constexpr double kRoughSamples = 10000.0;
inline constexpr double kRoughSamplesPerSphere = 80.0;
inline constexpr double kSamples = 7000.0;
inline constexpr double kSamplesPerSphere = 130.0;
inline constexpr double kLastSamplesPerSphere = 200.0;
/// Radius of patches, in distances of as many that are spread evenly; and where the surface is hardly more
/// than a line, in the line's length by their number. Smaller: more patches than the numbers above say.
inline constexpr double kPatchRadius = 1.36;
inline constexpr double kLineRadius = 4.0;
/// A patch counts as covered if this share of its radius is: spheres that cover as much need neither grow nor
/// shrink on average to cover all of it. Smaller: spheres grow much in the end; larger: each is larger than
/// it need be from the beginning.
inline constexpr double kPatchShare = 0.35;
/// A patch is critical, and is split, unless a sphere covers it with this margin, in its radii. Larger: more
/// patches and time; smaller: gaps that are seen only in the end.
inline constexpr double kCriticalMargin = 0.25;
/// Critical patches are split while larger than this, in mean errors, at most kMostSplits times a round.
inline constexpr double kFineEnough = 1.0;
inline constexpr int kMostSplits = 3;
/// Patches are split no more when they have this many pieces together, or twice as many as at first: a limit
/// of memory, about 100 bytes each.
inline constexpr std::size_t kMostPieces = 600000;
/// A patch in no parent's ancestors is split this often, into halves each time; the rest is for cover_level.
inline constexpr int kAncestorSplits = 6;
/// A patch is flat, a surfel with a normal, if its projected area is this share of its own. Smaller: bent
/// patches are taken as flat, and spheres leave gaps at edges; larger: round surfaces need larger spheres.
inline constexpr double kFlatShare = 0.97;
/// A piece longer than this, in diameters of its patch, is bisected before the patch is divided: slivers by
/// the hundred may lie side by side. Smaller: more pieces; at 1 and above such a patch cannot be divided.
inline constexpr double kLongPiece = 0.7;

// ---- cost: volume and error (fit_samples.cpp, outside_samples.cpp) ----

/// Most samples are within this distance of the solid: as a share of the largest protrusion at first, in mean
/// errors later. Larger: samples are spread thin where most spheres end; smaller: the largest errors are seen
/// by few samples.
inline constexpr double kNear = 0.2;
inline constexpr double kNearErrors = 2.0;
/// The error knee, in mean errors: where errors begin to cost more than volume; in the last descents, where
/// all spheres can give way; and a first guess as a share of the largest protrusion. Smaller: all that
/// spheres cover outside is far out, they cannot overlap, and volume and errors grow by half; larger: a few
/// large errors stay.
inline constexpr double kErrorKnee = 1.2;
inline constexpr double kLastErrorKnee = 2.0;
inline constexpr double kFirstErrorKnee = 0.3;
/// Penalty of a sample at the error knee, in its volume; it grows with the sixth power of the distance.
/// Half or twice as much is hardly seen: what decides is where the knee is.
inline constexpr float kErrorPenalty = 10.0F;
/// What is farther out, in error knees, costs every sphere that covers it. If only the first one paid, no
/// sphere would leave a narrow room that others fill too. Larger: rooms stay filled; smaller: overlaps near
/// the surface cost twice, and spheres avoid each other.
inline constexpr float kFarOut = 1.5F;
/// Width of the layer at a sphere's surface in which samples count in part, in cells of the sample; those of
/// large cells count as at most kWidestBlur small ones. Less: the gradient is noise; more: it is blind to
/// detail.
inline constexpr float kBlurWidth = 1.5F;
inline constexpr float kWidestBlur = 2.0F;
/// Cells of the pilot that finds the width of cells: in all at first, and the share of the wanted samples
/// that is enough, within kPilotRounds. Sampling alone; no effect on spheres but by the number of samples.
inline constexpr double kPilotCells = 4000.0;
inline constexpr double kPilotEnough = 0.7;
inline constexpr int kPilotRounds = 6;
/// Known samples replace the pilot up to this many times the distance that they reach. Larger: the number of
/// samples is off, and they are taken twice; time only.
inline constexpr double kKnownReach = 1.2;
/// Cubes near more triangles than this look for the nearest one point by point. Time only.
inline constexpr std::size_t kFewTriangles = 1500;
/// Triangles of meshes up to this number are looked at one by one from the start. Time only: half of a fast
/// bake of 5,000 triangles went into searches for too many.
inline constexpr std::size_t kListedTriangles = 8000;
/// Halvings from the cube around everything to a block of cells, at most: bounds memory on tiny features.
inline constexpr int kSampleDepth = 12;

// ---- annealing (sphere_cover*.cpp) ----

/// First temperature: how much more than before a proposal may cost, in mean costs of a sphere. Larger: good
/// starts are lost; smaller: the set is caught in the first dip.
inline constexpr double kFirstTemperature = 0.25;
/// A drop-and-split that costs more than this, in mean costs of a sphere, is rejected before its neighbours
/// shrink to fit; half of it after the first round. Smaller: faster, and more is missed.
inline constexpr double kRejectThreshold = 0.4;
/// Of a draw from 0 to 1: below the first a proposal drops and splits, below the next it swaps patches, below
/// the last it perturbs, and above it recenters. Drop and split is what gradient descent cannot do.
inline constexpr double kDropAndSplitBelow = 0.85;
inline constexpr double kSwapBelow = 0.93;
inline constexpr double kPerturbBelow = 0.965;
/// Spheres that may take over from one that is dropped. Fewer: drops cost more; more: time.
inline constexpr std::size_t kTakers = 8;
/// Spheres drawn, of which the one that seems best is dropped, or split. More: greedier, and always the same.
inline constexpr int kDraws = 6;
/// Ways to split a sphere that are compared when spheres are added. More: time of growing, better starts.
inline constexpr int kSplitsCompared = 4;
/// After this share of new spheres, all shrink to fit; and there are at most kGrowthRounds splits for each
/// sphere that is wanted, since some turn out not to be needed, again and again.
inline constexpr double kGrowth = 0.25;
inline constexpr std::size_t kGrowthRounds = 4;
/// Swapped patches go by radii up to this factor larger or smaller; a perturbed centre moves up to this many
/// radii along each axis. Larger: proposals that are rarely kept; smaller: that change nothing.
inline constexpr double kSwapGrowth = 0.22;
inline constexpr float kPerturbation = 0.3F;
inline constexpr std::size_t kSwapNeighbours = 6;

/// Steps of the compass search for a centre, in radii: from the first, until below the last. Larger first
/// steps find more and take longer; smaller last steps are precision that the next change undoes.
struct CenterSteps {
    float first;
    float last;
};
inline constexpr CenterSteps kLargeSteps{0.25F, 0.03F};     ///< of a sphere in a new place
inline constexpr CenterSteps kQuickSteps{0.1F, 0.025F};     ///< of one whose neighbour has changed
inline constexpr CenterSteps kSmallSteps{0.06F, 0.02F};     ///< of one that swapped patches
inline constexpr CenterSteps kThoroughSteps{0.12F, 0.01F};  ///< when it is to stay
/// Steps become smaller by this factor when none of them helps; at most kMostSteps rounds, about ten are
/// needed. Nearer to 1: time; nearer to 0: a good centre is stepped over.
inline constexpr float kStepShrink = 0.6F;
inline constexpr int kMostSteps = 64;
/// Samples are gathered in a sphere this much larger than the one that moves, in first steps. Time only.
inline constexpr float kGatherReserve = 2.5F;
/// Two spheres are counted together unless one around both would be larger by this factor. Time only.
inline constexpr float kTogether = 1.3F;

// ---- gradient descent of all spheres (sphere_fit.cpp, gradient_descent.cpp, kernels_body.h) ----

/// One descent; lengths are in mean errors.
struct DescentSchedule {
    int splits;  ///< of critical patches before it
    int steps;
    double step;            ///< the first
    double first_margin;    ///< by which a patch is to be covered, at first
    double last_margin;     ///< and in the end: about as much may be left uncovered
    double penalty_weight;  ///< of what is missing, by the volume gradient of a usual sphere
};
/// After each round. More steps: time; smaller margins: spheres hardly move.
inline constexpr DescentSchedule kDescentBetweenRounds{0, 30, 0.03, 0.15, 0.03, 4.0};
/// The last ones. Patches become as small as the gaps that may be left, or covering would undo much.
inline constexpr DescentSchedule kLastDescents[] = {{3, 80, 0.03, 0.15, 0.05, 2.0},
                                                    {1, 30, 0.015, 0.06, 0.03, 3.0},
                                                    {1, 30, 0.006, 0.03, 0.01, 3.0},
                                                    {1, 30, 0.002, 0.01, 0.005, 3.0}};
/// The share of a gap that spheres are fitted to before the last descents. All of it: many places cost
/// nothing, and the search does not know where to; none: it ends far from what the gap asks for.
inline constexpr double kFirstGap = 0.5;
/// How much farther than the gap says spheres have to move for what it saves. Less: they are caught early.
inline constexpr double kGapReach = 2.0;
/// Share of the old in the running means of gradients and of their squares (Adam has 0.9 and 0.999, for
/// thousands of steps). Larger: spheres overshoot; smaller: they follow the noise.
inline constexpr double kGradientMemory = 0.85;
inline constexpr double kSquareMemory = 0.95;
/// Longest step, in radii: small spheres would be thrown out of their places. The last step, as a share of
/// the first.
inline constexpr double kLongestStep = 0.03;
inline constexpr double kLastStep = 0.02;
/// Points in groups that a task works on, and how far a sphere may move, in first steps, until groups near it
/// are looked for again. Time only.
inline constexpr std::size_t kChunk = 48;
inline constexpr float kTravel = 16.0F;
/// Beyond this many margins a sphere does not feel a patch: see KernelTable::coverage_gradient. The power of
/// the norm there is the same, and written out.
inline constexpr float kMarginRange = 8.0F;
/// A surfel counts fully from this radius on, 1 by margins: one half. Small surfels are many where large ones
/// are few, and together they count alike. Smaller: fine patches outweigh volume.
inline constexpr float kFullSurfel = 2.0F;

}  // namespace espalier::tuning
