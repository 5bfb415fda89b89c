/** `daybook explain`: the whole story of one document or call. */
import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { kindOf, SUBJECTS } from "../../connectors/Document.ts"
import * as Ledger from "../../sync/Ledger.ts"
import { Database } from "../../sync/Database.ts"
import * as Overview from "../../sync/Overview.ts"
import * as Story from "../../sync/Story.ts"
import * as Subjects from "../../sync/Subjects.ts"
import { type Call, resolve } from "../../sync/Call.ts"
import { UsageError } from "../Exit.ts"
import { identifier } from "../PlanRecords.ts"
import * as Session from "../Session.ts"
import { callLines, storyText } from "../ui/StoryView.ts"

export const explain = Command.make(
  "explain",
  {
    what: Argument.String("document|call").pipe(
      Argument.withDescription("An invoice's number or id, a payment's id, a whole key, or a call as #12")
    )
  },
  Effect.fn(function* ({ what }) {
    const out = yield* Session.output
    const state = yield* Session.state("read", "explain")
    yield* Effect.gen(function* () {
      const db = yield* Database
      const one = /^#\d+$/.test(what) ? yield* db.read(() => Story.call(db, Number(what.slice(1)))) : undefined
      const call = one === undefined ? undefined : yield* db.read(() => filled(db, one))
      if (call !== undefined) {
        yield* out.emit({ type: "call", ...call })
        yield* out.say(callLines(call, out.style).join("\n"))
        yield* out.say("")
      }
      if (call === undefined && /^#\d+$/.test(what))
        return yield* new UsageError({ why: `there is no call ${what} in the books` })
      const keys =
        call !== undefined ? [call.subject] : yield* db.read(() => Story.search(db, what, Overview.connections(db)))
      if (keys.length === 0) {
        return yield* new UsageError({
          why: `there is no document ${JSON.stringify(what)} in the books; give an invoice's number, a source's id, a key like books/invoice/INV-1, or a call like #12`
        })
      }
      const subjects = new Set(yield* db.read(() => keys.flatMap((key) => invoicesOf(db, key))))
      if (subjects.size > 1 && !out.json) {
        yield* out.say(`${JSON.stringify(what)} is more than one document; name one:`)
        for (const key of subjects) yield* out.say(`  daybook explain ${key}`)
        return
      }
      for (const key of subjects) {
        const story = yield* db.read(() => tell(db, key))
        if (out.json)
          yield* out.emit({
            type: "story",
            ...story,
            told:
              story.told === undefined
                ? null
                : "kind" in story.told
                  ? story.told
                  : JSON.parse(Ledger.encode(story.told))
          })
        else yield* out.say(storyText(story, out.style))
      }
    }).pipe(Effect.provide(state))
  })
).pipe(
  Command.withDescription(
    "Tell the whole story of one document or call: every version of the source's record, what belongs to it, the arithmetic, the rule, the request and the answer."
  ),
  Command.withShortDescription("The whole story of one document or call"),
  Command.withExamples([
    { command: "daybook explain INV-1042", description: "By the invoice's number" },
    { command: "daybook explain '#12'", description: "By the number of a call" }
  ])
)

type Db = Database["Service"]

/** The invoices that a document is about. */
const invoicesOf = (db: Db, key: string): ReadonlyArray<string> => {
  if (SUBJECTS.some((kind) => kind === kindOf(key)) || key.endsWith("/owner")) return [key]
  return db
    .prepare("SELECT a.invoice FROM allocation a JOIN document d ON d.id = a.document WHERE d.key = ?")
    .pluck()
    .all(key) as ReadonlyArray<string>
}

/** With the identifiers that it was sent with, in place of the keys that stand for them until they exist. */
const filled = (db: Db, call: Story.CallStory): Story.CallStory => {
  const find = identifier(db)
  return { ...call, params: resolve(call.params, find), body: resolve(call.body as Call["body"], find) }
}

const standing = (db: Db, key: string) => {
  switch (kindOf(key)) {
    case "order":
      return { subject: Subjects.loadOrder(db, key), told: Subjects.toldOrder(db, key) }
    case "buyer":
      return { subject: Subjects.loadBuyer(db, key), told: Subjects.toldBuyer(db, key) }
    default:
      return { subject: Subjects.load(db, key), told: Subjects.told(db, key) }
  }
}

const tell = (db: Db, key: string) => ({
  key,
  versions: Story.versions(db, key),
  facts: Story.facts(db, key).flatMap((fact) => Story.versions(db, fact)),
  ...standing(db, key),
  reason: Story.standing(db, key)?.reason ?? null,
  calls: Story.calls(db, key).map((call) => filled(db, call)),
  attention: Story.attention(db, key)
})
