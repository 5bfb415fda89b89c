/** Carries out the forms for a new connection, with the same functions as `daybook init --add`. */
import { Clock, Effect, Result } from "effect"
import { join, resolve } from "node:path"
import { connectors } from "../../connectors/list.ts"
import { added } from "../../sync/library/config/AddConnections.ts"
import * as ChangeConfig from "../../sync/library/config/ChangeConfig.ts"
import { type Config, decode } from "../../sync/library/config/Configuration.ts"
import * as FileExamination from "../../sync/library/FileExamination.ts"
import * as FirstConfiguration from "../../sync/library/FirstConfiguration.ts"
import { messageOf, UsageError } from "../../sync/library/Exit.ts"
import * as ServiceClient from "../../sync/library/ServiceClient.ts"
import { isSourceName, type NameVariable, sourceInitial } from "../../sync/library/SourceConfiguration.ts"
import { variableFor } from "../../sync/library/VariableNames.ts"
import { unwrittenError, unwrittenPreview } from "../../sync/library/Unwritten.ts"
import { correctedOf, correctionsOf } from "../connect/Corrections.ts"
import * as InitPlace from "../InitPlace.ts"
import * as Changes from "./Changes.ts"
import { enteredProblem } from "./EnteredAddress.ts"
import * as View from "./NewConnection.ts"
import { previewBody } from "./Previews.ts"
import { type Answer, type Asked, nothing, type PageContext, type PageHandler } from "./Response.ts"
import { breathe } from "../../sync/state/Breathe.ts"
import * as SetupFiles from "./SetupFiles.ts"
import { t } from "./language/Texts.ts"

const PATIENCE_SECONDS = 60
/** The most rounds of questions; each answer may lead to another question. */
const MOST_ROUNDS = 20
const SOURCES = connectors.filter(({ name }) => isSourceName(name))

/** The sources by what people call them; none that would read files which a person names. Their modules are loaded for it, when somebody first asks. */
const sources = Effect.map(
  Effect.forEach(SOURCES, ({ load }) => Effect.andThen(breathe, Effect.promise(load))),
  (all) =>
    all
      .filter(({ capabilities }) => capabilities.onThisMachine !== true)
      .map(({ name, title }): View.NamedSource => ({ name, title: title.split(":")[0] ?? name }))
      .toSorted((a, b) => a.title.localeCompare(b.title, "en"))
)

const startOf = (asked: Asked, wrong?: string): Effect.Effect<Answer> =>
  Effect.map(sources, (sources) => ({
    title: t`Connect a source`,
    at: "/connections",
    body: View.startPage({ sources, wrong }, asked),
    ...(wrong === undefined ? {} : { status: 422 })
  }))

export const start: PageHandler = (asked, { file }) =>
  Effect.flatMap(Effect.result(ChangeConfig.writtenText(file)), (text) =>
    startOf(asked, text._tag === "Failure" ? text.failure.message : undefined)
  )

const placeOf = ({ file, folder }: PageContext) =>
  Effect.map(
    ChangeConfig.writtenText(file),
    (before): InitPlace.InitPlace => ({ file, folder: resolve(folder), before })
  )

/** The answers in a form to the current questions, each validated by its question. */
const settled = <A extends { readonly questions: ReadonlyArray<FirstConfiguration.SetupQuestion> }, E>(
  posted: URLSearchParams,
  given: FirstConfiguration.SetupAnswers,
  find: (answers: FirstConfiguration.SetupAnswers) => Effect.Effect<A, E>
) =>
  Effect.gen(function* () {
    let answers = given
    const answered = new Map<string, string>()
    for (let round = 0; ; round++) {
      const found = yield* find(answers)
      const open = found.questions.filter(
        ({ answer }) => !answered.has(`answer:${answer}`) && (posted.get(`answer:${answer}`) ?? "").trim() !== ""
      )
      if (open.length === 0 || round >= MOST_ROUNDS) return { found, answers, answered: [...answered] }
      for (const question of open) {
        const text = (posted.get(`answer:${question.answer}`) ?? "").trim().slice(0, 200)
        const next = FirstConfiguration.withAnswer(answers, question, text)
        if (next === undefined)
          return yield* new UsageError({ why: t`${JSON.stringify(text)} is not an answer to: ${question.ask}` })
        answers = next
        answered.set(`answer:${question.answer}`, text)
      }
    }
  })

/** What the files of a draft give with the answers of a form. */
const lookedAt = (asked: Asked, around: PageContext, draft: string) =>
  Effect.gen(function* () {
    const { posted } = asked
    const place = yield* placeOf(around)
    const { folder } = place
    const names = SetupFiles.filesOf(folder, draft)
    const paths = names.map((name) => join(folder, SetupFiles.pathOf(draft, name)))
    const { headings, initial } = yield* FileExamination.examine(paths, folder)
    const base = InitPlace.answersFor(place, {}, [])
    const find = (answers: FirstConfiguration.SetupAnswers) => initial({ folder, answers })
    const first = yield* settled(posted, base, find)
    const columns = correctedOf(first.found, posted)
    const { answered, found } =
      Object.keys(columns).length === 0
        ? first
        : yield* settled(posted, { ...base, columns: { ...first.answers.columns, ...columns } }, find)
    const kept = Object.entries(columns).map(([name, heading]) => [`column:${name}`, heading] as const)
    return { place, names, paths, headings, found, answered: [...answered, ...kept] }
  }).pipe(Effect.scoped)

/** Only the new connections, as they would be read. */
const candidateOf = (place: InitPlace.InitPlace, config: Config, { bounds, environment }: PageContext) =>
  Effect.gen(function* () {
    const { own } = yield* InitPlace.written(place, config)
    return { own, configuration: yield* decode(own, { ...place, environment, bounds }) }
  })

const previewsOf = (
  place: InitPlace.InitPlace,
  paths: ReadonlyArray<string>,
  {
    around,
    asIs,
    config
  }: { readonly config: Config; readonly around: PageContext; readonly asIs: (text: string) => string }
) =>
  Effect.gen(function* () {
    const { configuration } = yield* candidateOf(place, config, around)
    return yield* FileExamination.previews(configuration.connections, configuration, paths).pipe(
      Effect.map((all) => all.map((one) => previewBody(unwrittenPreview(one, "form", asIs)))),
      Effect.provide(ServiceClient.outside),
      Effect.timeoutOrElse({
        duration: `${PATIENCE_SECONDS} seconds`,
        orElse: () =>
          Effect.fail(new UsageError({ why: t`the files took longer than a minute to read; use daybook init` }))
      })
    )
  })

const filesPage = (asked: Asked, around: PageContext, draft: string, said?: string) => {
  const asIs = SetupFiles.named(draft, resolve(around.folder))
  return Effect.gen(function* () {
    const { answered, found, headings, names, paths, place } = yield* lookedAt(asked, around, draft)
    const isDone = found.questions.length === 0
    const read = isDone
      ? yield* Effect.result(previewsOf(place, paths, { config: found.config, around, asIs }))
      : Result.succeed([])
    // Whoever sees why the files cannot be read so, sees what was found in them, and can put it right.
    const wrong = said ?? (Result.isFailure(read) ? asIs(unwrittenError(read.failure, "form")) : undefined)
    const body = View.filesPage(
      {
        ...{ draft, files: names, answered, previews: Result.isFailure(read) ? [] : read.success, wrong },
        decisions: found.decisions,
        questions: found.questions,
        corrections: isDone ? correctionsOf({ ...found, headings }, asIs) : null
      },
      asked
    )
    const answer: Answer = { title: t`Connect your files`, at: "/connections", body }
    return wrong === undefined ? answer : { ...answer, status: 422 }
  }).pipe(Effect.catch((error) => startOf(asked, asIs(unwrittenError(error, "form")))))
}

const draftOf = ({ path }: Asked, { folder }: PageContext): string | undefined => {
  const draft = path[1]
  return SetupFiles.isDraft(draft) && SetupFiles.filesOf(folder, draft).length > 0 ? draft : undefined
}

export const show: PageHandler = (asked, around) => {
  const draft = draftOf(asked, around)
  return draft === undefined ? Effect.succeed(nothing) : filesPage(asked, around, draft)
}

export const look = show

/** Stores a file of a draft; or returns what is wrong with it, and takes away one of which nothing could be read. */
const kept = ({ file }: Asked, { folder }: PageContext, draft: string) => {
  if (file === undefined) return Effect.succeed(t`Choose a file.`)
  const before = SetupFiles.filesOf(folder, draft)
  const examined = Effect.suspend(() => {
    const [name = ""] = SetupFiles.filesOf(folder, draft).filter((one) => !before.includes(one))
    return FileExamination.examine([join(resolve(folder), SetupFiles.pathOf(draft, name))], resolve(folder)).pipe(
      Effect.scoped,
      Effect.as(undefined),
      Effect.catch((error) => {
        SetupFiles.remove(folder, draft, name)
        return Effect.succeed(SetupFiles.named(draft, resolve(folder))(unwrittenError(error, "form")))
      })
    )
  })
  return Effect.tryPromise({ try: () => SetupFiles.add(folder, draft, file), catch: (cause) => cause }).pipe(
    Effect.catch((cause) => Effect.succeed(t`The file could not be kept: ${String(cause)}`)),
    Effect.flatMap((wrong) => (wrong === undefined ? examined : Effect.succeed(wrong)))
  )
}

export const firstFile: PageHandler = (asked, around) =>
  Effect.gen(function* () {
    const text = yield* Effect.result(ChangeConfig.writtenText(around.file))
    if (text._tag === "Failure") return yield* startOf(asked, text.failure.message)
    SetupFiles.forget(around.folder, text.success, yield* Clock.currentTimeMillis)
    const draft = SetupFiles.newDraft()
    const wrong = yield* kept(asked, around, draft)
    return wrong === undefined ? { to: `/setup/${draft}`, said: "fileAdded" } : yield* startOf(asked, wrong)
  })

export const nextFile: PageHandler = (asked, around) =>
  Effect.gen(function* () {
    const draft = draftOf(asked, around)
    if (draft === undefined) return nothing
    const wrong = yield* kept(asked, around, draft)
    return wrong === undefined
      ? { to: `/setup/${draft}`, said: "fileAdded" }
      : yield* filesPage(asked, around, draft, wrong)
  })

/** Writes the connections into the configuration; or returns what is wrong. */
const written = (asked: Asked, around: PageContext, place: InitPlace.InitPlace, config: Config) =>
  Effect.gen(function* () {
    const { configuration, own } = yield* candidateOf(place, config, around)
    const every = View.everyIn(asked.posted)
    const connections = own.connections.map((one) => (every === undefined ? one : { ...one, every }))
    const [first] = configuration.connections
    const words = configuration.connections.map(({ connector, id }) => `${id} connected (${connector.name})`).join(", ")
    const wrong = yield* Changes.make(asked, around, {
      words,
      ...(first === undefined ? {} : { connection: first.id }),
      edit: (text) => added(text, connections as Config["connections"])
    })
    if (wrong === undefined) for (const { id } of configuration.connections) yield* around.wake(id)
    return wrong
  })

export const connect: PageHandler = (asked, around) =>
  Effect.gen(function* () {
    const draft = draftOf(asked, around)
    if (draft === undefined) return nothing
    const { found, place } = yield* lookedAt(asked, around, draft)
    const wrong =
      found.questions.length > 0 ? t`Answer these first.` : yield* written(asked, around, place, found.config)
    return wrong === undefined
      ? ({ to: "/connections", said: "connected" } as const)
      : yield* filesPage(asked, around, draft, wrong)
  }).pipe(Effect.catch((error) => startOf(asked, messageOf(error))))

const sourcePage = (
  asked: Asked,
  { environment }: PageContext,
  draft: Omit<View.SourceDraft, "variables"> &
    Pick<View.SourceDraft, "connector"> & {
      readonly names: ReadonlyArray<{ readonly name: string; readonly text: string }>
    }
): Answer => ({
  title: t`Connect ${draft.connector}`,
  at: "/connections",
  body: View.sourcePage(
    { ...draft, variables: draft.names.map((one) => ({ ...one, isSet: (environment[one.name] ?? "") !== "" })) },
    asked
  ),
  ...(draft.wrong === undefined ? {} : { status: 422 })
})

/** Connects a source other than files: asks for its settings first. */
export const source: PageHandler = (asked, around) =>
  Effect.gen(function* () {
    const { posted } = asked
    const connector = (yield* sources).find(({ name }) => name === posted.get("connector"))?.name
    if (connector === undefined) return yield* startOf(asked, t`Choose a source.`)
    const place = yield* placeOf(around)
    const base = InitPlace.answersFor(place, {}, [connector])
    // Whatever is set already was set for another address.
    const variableOf: NameVariable = (id, secret, set) =>
      variableFor([id, secret], [around.tenant ?? "", connector, set])
    const find = (answers: FirstConfiguration.SetupAnswers) => sourceInitial(connector, { answers }, variableOf)
    const { answered, answers, found } = yield* settled(posted, base, find)
    for (const value of Object.values(answers.set ?? {})) {
      const problem = yield* enteredProblem(around, value)
      if (problem !== undefined) return yield* new UsageError({ why: problem })
    }
    const { authorises, config, questions, variables } = found
    const isAsked = posted.get("do") === "connect" && questions.length === 0
    const wrong = isAsked ? yield* written(asked, around, place, config) : undefined
    if (isAsked && wrong === undefined) return { to: "/connections", said: "connected" } as const
    const draft = { connector, id: base.id ?? connector, questions, answered, authorises, names: variables, wrong }
    return sourcePage(asked, around, draft)
  }).pipe(Effect.catch((error) => startOf(asked, messageOf(error))))
