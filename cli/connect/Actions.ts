/** Carries out the forms of a session. Each returns what is wrong, or nothing; the session's next page follows. */
import { Effect } from "effect"
import { rmSync } from "node:fs"
import { join } from "node:path"
import type { Readable } from "node:stream"
import { bankEndings } from "../../connectors/list.ts"
import * as OAuth from "../../connectors/OAuth.ts"
import * as Links from "../../sync/connect/Links.ts"
import * as Connecting from "../../sync/library/Connecting.ts"
import * as FileExamination from "../../sync/library/FileExamination.ts"
import * as FirstConfiguration from "../../sync/library/FirstConfiguration.ts"
import { UsageError } from "../../sync/library/Exit.ts"
import * as ServiceClient from "../../sync/library/ServiceClient.ts"
import { correctedOf } from "./Corrections.ts"
import { addressesForStrangers, reachProblem } from "../../core/Reach.ts"
import { t } from "../page/language/Texts.ts"
import * as Session from "./Session.ts"
import { consentOf, titleOf, type Visit } from "./Steps.ts"
import { receive } from "./Uploads.ts"

export type Action = (visit: Visit, posted: URLSearchParams) => Effect.Effect<unknown, unknown>

const LONGEST_VALUE = 2000

/** What comes after the session has ended is not kept. */
const keep = ({ connecting }: Visit, progress: Connecting.ConnectProgress) =>
  Effect.gen(function* () {
    const { db, link } = connecting
    if (yield* db.transaction(() => Links.keep(db, link, { ...progress }))) return
    if ((yield* db.read(() => Links.outcomeOf(db, link))) === "cancelled") yield* Connecting.drop(connecting)
    return yield* new UsageError({ why: t`Your session has ended, and nothing was kept.` })
  })

const progress = ({ connecting }: Visit) => Connecting.progressOf(connecting.link)

/** The source that was chosen before. */
const chosen = ({ connecting }: Visit) => {
  const source = Connecting.chosenOf(connecting)
  return source === undefined ? Effect.fail(new UsageError({ why: t`Choose a source first.` })) : Effect.succeed(source)
}

const source: Action = (visit, posted) =>
  Effect.gen(function* () {
    const name = posted.get("connector")
    const found = Connecting.choicesOf(visit.connecting).find((one) => one.name === name)
    if (found === undefined)
      return yield* new UsageError({ why: t`This link does not allow that source; choose one of these.` })
    yield* Connecting.drop(visit.connecting)
    yield* keep(visit, { connector: found.name })
  })

const back: Action = (visit) =>
  Effect.andThen(Connecting.drop(visit.connecting), keep(visit, { attempts: progress(visit).attempts ?? 0 }))

/** Starts again with the same source: files stay, entered values are deleted. */
const more: Action = (visit) =>
  Effect.gen(function* () {
    const found = yield* chosen(visit)
    const { attempts = 0, files = [] } = progress(visit)
    if (Connecting.isFiles(found)) return yield* keep(visit, { connector: found.name, files })
    yield* Connecting.drop(visit.connecting)
    yield* keep(visit, { connector: found.name, attempts: attempts + 1 })
  })

const settings: Action = (visit, posted) =>
  Effect.gen(function* () {
    const found = yield* chosen(visit)
    const before = progress(visit)
    const needs = Connecting.asksOf(visit.connecting, found)
    const values = new Map(needs.map(({ name }) => [name, (posted.get(name) ?? "").trim()]))
    const lacking = needs.find(({ name }) => {
      const length = values.get(name)?.length ?? 0
      return length === 0 || length > LONGEST_VALUE
    })
    if (lacking !== undefined) return yield* new UsageError({ why: t`${lacking.name} is missing, or too long.` })
    for (const value of values.values()) {
      const problem = yield* Effect.promise(() =>
        reachProblem(value, visit.connecting.connect.url, addressesForStrangers)
      )
      if (problem !== undefined) return yield* new UsageError({ why: problem })
    }
    const of = (secret: boolean) =>
      needs.filter((one) => one.secret === secret).map(({ name }) => [name, values.get(name) ?? ""])
    const secrets = Object.fromEntries(of(true))
    if (Object.keys(secrets).length > 0) yield* Connecting.sealSecrets(visit.connecting, found, secrets)
    yield* keep(visit, {
      ...before,
      given: { ...before.given, ...Object.fromEntries(of(false)) },
      sealed: [...(before.sealed ?? []), ...Object.keys(secrets)]
    })
  })

const organisation: Action = (visit, posted) =>
  Effect.gen(function* () {
    const before = progress(visit)
    const one = before.reached?.find(({ value }) => value === posted.get("value"))
    if (one === undefined) return yield* new UsageError({ why: t`Choose one of these.` })
    yield* keep(visit, { ...before, given: { ...before.given, [one.setting]: one.value } })
  })

const remove: Action = (visit, posted) =>
  Effect.gen(function* () {
    const found = yield* chosen(visit)
    const { files = [] } = progress(visit)
    const gone = files.find(({ name }) => name === posted.get("name"))
    if (gone === undefined) return
    yield* keep(visit, { connector: found.name, files: files.filter((one) => one !== gone) })
    const path = join(Connecting.filesFolder(visit.connecting, found), gone.name)
    yield* Effect.sync(() => rmSync(path, { force: true }))
  })

const uploaded: Action = (visit) => keep(visit, { ...progress(visit), uploaded: true })

const answers: Action = (visit, posted) =>
  Effect.gen(function* () {
    const found = yield* chosen(visit)
    const draft = yield* Connecting.draftOf(visit.connecting, found)
    const before = progress(visit)
    let known: FirstConfiguration.SetupAnswers = before.answers ?? {}
    for (const question of draft.questions) {
      const text = posted.get(`answer:${question.answer}`)?.trim().slice(0, 200)
      if (text === undefined) continue
      const next = FirstConfiguration.withAnswer(known, question, text)
      if (next === undefined)
        return yield* new UsageError({ why: t`${JSON.stringify(text)} is not an answer to: ${question.ask}` })
      known = next
    }
    const columns = correctedOf(draft, posted)
    yield* keep(visit, {
      ...before,
      answers: Object.keys(columns).length === 0 ? known : { ...known, columns: { ...known.columns, ...columns } }
    })
  })

export const ACTIONS: Readonly<Record<string, Action>> = {
  source,
  back,
  more,
  settings,
  organisation,
  remove,
  uploaded,
  answers
}

/** Writes files to the link's folder; deletes files without a table. */
export const upload = (
  visit: Visit,
  stream: Readable,
  headers: Readonly<Record<string, string | undefined>>
): Effect.Effect<void, unknown> =>
  Effect.gen(function* () {
    const found = yield* chosen(visit)
    if (!Connecting.isFiles(found)) return yield* new UsageError({ why: t`Files are not what this source needs.` })
    const folder = Connecting.filesFolder(visit.connecting, found)
    const { files = [] } = progress(visit)
    const endings = yield* Effect.promise(bankEndings)
    const word = Session.formWord(visit.word)
    const isForm = (text: string) => Session.sameText(text, word)
    const done = yield* Effect.promise(() => receive(stream, headers, { folder, before: files, isForm, endings }))
    if ("refused" in done) return yield* new UsageError({ why: done.refused })
    for (const { name, shown } of done.files) {
      const path = join(folder, name)
      yield* FileExamination.examine([path], visit.connecting.configuration.folder).pipe(
        Effect.scoped,
        Effect.mapError(({ why }) => new UsageError({ why: why.replaceAll(path, shown) })),
        Effect.tapError(() =>
          Effect.sync(() => {
            for (const one of done.files) rmSync(join(folder, one.name), { force: true })
          })
        )
      )
    }
    yield* keep(visit, { connector: found.name, files: [...files, ...done.files] })
  })

/** The source has redirected the person back: exchanges the code for tokens, and encrypts them before anything else. */
export const authorised = (visit: Visit, answered: URLSearchParams): Effect.Effect<void, unknown> =>
  Effect.gen(function* () {
    const found = yield* chosen(visit)
    const before = progress(visit)
    const consent = consentOf(visit, found)
    if (consent === undefined || before.authorised === true) return
    if (!Session.sameText(answered.get("state") ?? "", consent.attempt.state))
      return yield* new UsageError({
        why: t`That authorisation belongs to an earlier attempt; continue from here.`
      })
    const code = answered.get("code")
    if (code === null) {
      yield* keep(visit, { connector: found.name, attempts: (before.attempts ?? 0) + 1 })
      const denied = answered.get("error") === "access_denied"
      return yield* new UsageError({
        why: denied
          ? t`You did not agree at ${titleOf(found)}. Nothing was connected; continue if you want to.`
          : t`${titleOf(found)} did not let you in. Nothing was connected; try again.`
      })
    }
    const { authorisation, attempt } = consent
    const { environment } = visit.connecting.configuration
    const granting = {
      connector: found.connector.name,
      tokens: authorisation.tokens,
      inBody: authorisation.inBody,
      client: {
        id: environment[authorisation.client.id] ?? "",
        secret: environment[authorisation.client.secret] ?? ""
      }
    }
    const box = yield* Connecting.stagedTokens(visit.connecting, found)
    // Stores the tokens first, because the code can be used only once.
    const granted = yield* box.replace(OAuth.exchange(granting, code, attempt))
    const reached = yield* authorisation.reaches?.(granted.access, answered) ?? Effect.succeed([])
    const [only, ...others] = reached
    yield* keep(visit, {
      connector: found.name,
      attempts: (before.attempts ?? 0) + 1,
      authorised: true,
      reached,
      ...(only === undefined || others.length > 0 ? {} : { given: { [only.setting]: only.value } })
    })
  }).pipe(Effect.provide(ServiceClient.outside))
