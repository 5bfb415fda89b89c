/** Mistakes about the service's clock, about what is not known of cover, and about a person's no to a plan. */
import type { UnitMutant } from "./unitMutants.ts"

const MONTH = "test/sync/stories/CoverMonth.test.ts"
const UNKNOWN = "test/sync/stories/CoverUnknown.test.ts"
const VOICES = "test/sync/plan/ApprovalVoices.test.ts"
const PARTS = "test/cli/ApprovedParts.test.ts"
const NAMES = "test/sync/model/LegalForms.test.ts"

const one = (name: string, caughtBy: UnitMutant["caughtBy"], file: string, from: string, to: string): UnitMutant => ({
  name,
  caughtBy,
  changes: [{ file, from, to }]
})

export const COVER_TIMES: ReadonlyArray<UnitMutant> = [
  one(
    "cover: the rules count by this machine's clock",
    [MONTH, "is the one before while only"],
    "sync/plan/CoverFacts.ts",
    "const time = ServiceTime.of(db, now)",
    "const time = ServiceTime.of(db, now) + ServiceTime.aheadOf(db)"
  ),
  one(
    "cover: a purchase counts in the month in which this machine's clock was",
    [MONTH, "counts what was bought while"],
    "sync/plan/CoverFacts.ts",
    "const stated = millisOf(created ?? undefined)",
    "const stated = millisOf(created === null ? undefined : undefined)"
  ),
  one(
    "cover: a purchase of which nobody knows when it was made counts in the month of its request alone",
    [MONTH, "counts a purchase in both months"],
    "sync/plan/CoverFacts.ts",
    "Math.min(answered ?? Infinity, claimed + DAY_MS)",
    "Math.min(answered ?? Infinity, claimed)"
  ),
  one(
    "cover: the service is not asked for its time again by a program that knew it once",
    [MONTH, "is known to be right once it was set"],
    "sync/CoverSync.ts",
    "if (isWrong) yield*",
    "if (isWrong && client.clock.ahead === undefined) yield*"
  ),
  one(
    "cover: a clock that is ten milliseconds ahead is in the day before",
    [MONTH, "counts as right within a second"],
    "sync/plan/ServiceTime.ts",
    "Math.abs(ahead) < 1000 ? 0 : Math.round(ahead)",
    "Math.round(ahead)"
  ),
  one(
    "cover: a list's word is taken for a collection that is in doubt",
    ["test/sync/stories/CoverWatched.long.test.ts", "H4: is read by itself while what is known of its collection"],
    "sync/refresh/CoverSweep.ts",
    "|| row.read === 0) return",
    ") return"
  ),
  one(
    "cover: after a lost file, this machine's month is looked for",
    [MONTH, "is known after a lost state file"],
    "sync/reconciliation/EarlierPurchases.ts",
    "return now - (this.#client.clock.ahead ?? 0)",
    "return now"
  ),
  one(
    "cover: the window is counted from the day that this machine's clock had",
    [MONTH, "and so is the window"],
    "sync/apply/Sender.ts",
    "ServiceTime.by(this.#db, this.clock, now), lastRead",
    "now, lastRead === undefined ? undefined : lastRead + ServiceTime.aheadOf(this.#db)"
  ),
  one(
    "cover: a purchase that may have been made is planned again",
    [UNKNOWN, "it is neither planned again nor asked about"],
    "sync/rules/Cover.ts",
    "if (context.unknown === true) return nothing",
    "if (context.unknown === true && context.now === 0) return nothing"
  ),
  one(
    "cover: a handover that may have been made is planned again",
    [UNKNOWN, "nor said that it was not handed over"],
    "sync/rules/Collections.ts",
    "of.context.unknown === true ?",
    "of.context.unknown === true && of.context.now === 0 ?"
  ),
  one(
    "cover: a person is asked for what may have been carried out",
    [UNKNOWN, "the item that asked for it is closed"],
    "sync/apply/Job.ts",
    "if (current && !complete) UnknownItems",
    "if (current && complete) UnknownItems"
  ),
  one(
    "cover: a run is said to buy what waits for a person",
    [UNKNOWN, "whose plan waits for a person"],
    "sync/reports/Cover.ts",
    'approval === undefined || approval.decision === "approved"',
    "approval === undefined || approval.who !== undefined"
  ),
  one(
    "approvals: the first of two counts though the plan was another one since",
    [VOICES, "once somebody rejected the plan"],
    "sync/plan/Approvals.ts",
    '"DELETE FROM approval_voice WHERE connection = ? AND digest <> ?"',
    '"DELETE FROM approval_voice WHERE connection = ? AND digest = ? AND 0"'
  ),
  one(
    "approvals: the first of two counts after a restored file",
    [VOICES, "once the state file was restored"],
    "sync/state/LedgerTrust.ts",
    'db.prepare("DELETE FROM approval_voice").run()',
    'db.prepare("DELETE FROM approval_voice WHERE 0").run()'
  ),
  one(
    "approvals: a sync by hand sends what was rejected",
    [PARTS, "leaves out what no sync sends by hand"],
    "sync/plan/FirstSync.ts",
    'decision === "rejected" && approval.digest === digest',
    'decision === "rejected" && approval.digest === id'
  ),
  one(
    "approvals: a sync by hand sends the rest of a plan",
    [PARTS, "leaves out what no sync sends by hand"],
    "sync/plan/FirstSync.ts",
    "const isRest = Approvals.isHeld(approval) &&",
    "const isRest = !Approvals.isHeld(approval) &&"
  ),
  one(
    "names: a legal form is known at the end only",
    [NAMES, "are one whatever their legal form"],
    "sync/model/LegalForms.ts",
    "if (forms.length === 0 || isTbk(forms)) atStart()",
    "if (isTbk(forms)) atStart()"
  ),
  one(
    "names: a number counts as it is grouped",
    [NAMES, "are one however they are grouped"],
    "sync/model/PartyName.ts",
    'numberKey(a) !== "" && numberKey(a) === numberKey(b)',
    'numberKey(a) !== "" && a === b'
  )
]
