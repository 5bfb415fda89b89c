/** `daybook explain`: shows everything about one document or call. */
import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { ATTENTION, Exit, UsageError } from "../../sync/library/Exit.ts"
import * as Explain from "../../sync/library/Explain.ts"
import { dated } from "../../sync/library/Plain.ts"
import * as QuarantinedRecords from "../../sync/reports/QuarantinedRecords.ts"
import { tooLong } from "../../sync/reports/SearchText.ts"
import * as Status from "../../sync/reports/Status.ts"
import * as CommandContext from "../CommandContext.ts"
import { callLines, quarantinedLines, storyText } from "../render/StoryView.ts"

/** Whether anything about it needs attention, or could not be read. */
const needsPerson = ({ attention, named, quarantined }: Explain.Story): boolean =>
  quarantined.length + named.length > 0 || attention.some(({ closed }) => closed === null)

export const explain = Command.make(
  "explain",
  {
    what: Argument.String("document|call").pipe(
      Argument.withDescription(
        "An invoice's number or id, a payment's id, a full key, a line of a file (invoices.csv:12), or a call (#12)"
      )
    )
  },
  Effect.fn(function* ({ what }) {
    const out = yield* CommandContext.output
    const why = tooLong(what)
    if (why !== undefined) return yield* new UsageError({ why })
    yield* CommandContext.inState("read", "explain", function* (db) {
      const id = Explain.callNumber(what)
      const isCall = id !== undefined && (yield* db.read(() => Explain.documents(db, what).length === 0))
      const call = isCall ? yield* db.read(() => Explain.call(db, id)) : undefined
      if (call !== undefined) {
        yield* out.emit({ type: "call", ...Explain.plainCall(call) })
        yield* out.say(callLines(call, out.style).join("\n"))
        yield* out.say("")
      }
      if (call === undefined && isCall)
        return yield* new UsageError({ why: `no document or call in the books is called ${what}` })
      const subjects = yield* db.read(() => Explain.subjects(db, what))
      const records = yield* db.read(() => QuarantinedRecords.called(db, what, Status.connections(db)))
      for (const row of records) yield* out.emit({ type: "quarantined", ...dated(row, "since") })
      // A record without an id belongs to no document, so only the record itself can be shown.
      if (subjects.length === 0)
        for (const row of records) yield* out.say(quarantinedLines(row, out.style, "Could not be read").join("\n"))
      if (subjects.length === 0 && records.length > 0) return yield* new Exit({ status: ATTENTION })
      if (subjects.length === 0) {
        return yield* new UsageError({
          why: `no document ${JSON.stringify(what)} in the books; give an invoice number, the source's id, a key (books/invoice/INV-1), a line of a file (invoices.csv:12) or a call (#12)`
        })
      }
      if (subjects.length > 1 && !out.json) {
        yield* out.say(`${JSON.stringify(what)} matches more than one document; name one of:`)
        for (const key of subjects) yield* out.say(`  daybook explain ${key}`)
        return
      }
      let person = records.length > 0
      for (const key of subjects) {
        const story = yield* db.read(() => Explain.story(db, key))
        if (out.json) yield* out.emit({ type: "story", ...Explain.plainStory(story) })
        else yield* out.say(storyText(story, out.style))
        person ||= needsPerson(story)
      }
      if (person) yield* new Exit({ status: ATTENTION })
    })
  })
).pipe(
  CommandContext.help(
    "Show the whole story of one document or call: every version of the source's record, what belongs to it, the arithmetic, the rule, the request and the answer. Exit status 3: something of it needs attention, or could not be read.",
    "Show everything about one document or call",
    "daybook explain INV-1042 # By the invoice's number",
    "daybook explain invoices.csv:62 # A record that could not be read, by its place",
    "daybook explain '#12' # By the number of a call"
  )
)
