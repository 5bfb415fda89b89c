/** Carries out the forms on a connection's settings: its schedule, its approval, newer files. */
import { Effect } from "effect"
import * as ChangeConfig from "../../sync/library/config/ChangeConfig.ts"
import type { Connection } from "../../sync/model/Connection.ts"
import { nameOf } from "../../sync/model/Connection.ts"
import * as Changes from "./Changes.ts"
import * as ConnectionSetup from "./ConnectionSetup.ts"
import { type Answer, type Asked, nothing, type PageContext, type PageHandler } from "./Response.ts"
import * as SetupFiles from "./SetupFiles.ts"
import { t } from "./language/Texts.ts"

/** The connection in the address, and its place in the configuration file. */
const placeOf = ({ path }: Asked, { connections, file }: PageContext) =>
  Effect.gen(function* () {
    const connection = connections.find(({ id }) => id === path[1])
    if (connection === undefined) return undefined
    const text = yield* Effect.result(ChangeConfig.writtenText(file))
    if (text._tag === "Failure") return { connection, index: -1, source: undefined, fixed: text.failure.message }
    const written = writtenConnections(text.success)
    const index = written.findIndex(({ id }) => id === connection.id)
    return {
      connection,
      index,
      source: written[index]?.source,
      fixed: index < 0 ? t`It was connected by a link: make another link to renew it.` : undefined
    }
  })

interface WrittenSource {
  readonly id?: unknown
  readonly source?: unknown
}

const writtenConnections = (text: string): ReadonlyArray<WrittenSource> => {
  try {
    const { connections } = ChangeConfig.parsed(text)
    return Array.isArray(connections) ? (connections as ReadonlyArray<WrittenSource>) : []
  } catch {
    // The file is being edited and not complete.
    return []
  }
}

const page = (asked: Asked, shown: ConnectionSetup.SetupPage): Answer => ({
  title: t`Set up ${nameOf(shown.connection)}`,
  at: "/connections",
  body: ConnectionSetup.setupPage(shown, asked),
  ...(shown.wrong === undefined ? {} : { status: 422 })
})

export const show: PageHandler = (asked, around) =>
  Effect.map(placeOf(asked, around), (found) =>
    found === undefined
      ? nothing
      : page(asked, {
          connection: found.connection,
          fields: ConnectionSetup.fieldsOf(found.connection),
          files: SetupFiles.uploadedIn(found.source),
          fixed: found.fixed
        })
  )

const edited =
  ({ id }: Connection, fields: ConnectionSetup.ScheduleFields) =>
  (text: string): string => {
    const index = writtenConnections(text).findIndex((one) => one.id === id)
    if (index < 0) throw new Error(t`connection ${id} no longer exists in the configuration`)
    const every = ConnectionSetup.everyOf(fields)
    const scheduled = ChangeConfig.withSetting(text, ["connections", index, "every"], every)
    const { approve = false } = writtenConnections(text)[index] as { readonly approve?: unknown }
    // An absent setting stays absent; who asks for another person cannot be talked out of it here.
    return typeof approve === "object" || approve === fields.approve
      ? scheduled
      : ChangeConfig.withSetting(scheduled, ["connections", index, "approve"], fields.approve ? true : undefined)
  }

export const save: PageHandler = (asked, around) =>
  Effect.gen(function* () {
    const found = yield* placeOf(asked, around)
    if (found === undefined) return nothing
    const { connection, fixed, source } = found
    const fields = ConnectionSetup.postedFields(asked.posted)
    const before = ConnectionSetup.scheduleText(ConnectionSetup.fieldsOf(connection))
    const words = `${ConnectionSetup.scheduleText(fields)} (before: ${before})`
    const wrong =
      fixed ??
      (yield* Changes.make(asked, around, { connection: connection.id, words, edit: edited(connection, fields) }))
    if (wrong === undefined) return { to: "/connections", said: "scheduled" }
    return page(asked, { connection, fields, files: SetupFiles.uploadedIn(source), fixed, wrong })
  })

/** Replaces a file that was uploaded here with a newer one. */
export const renew: PageHandler = (asked, around) =>
  Effect.gen(function* () {
    const found = yield* placeOf(asked, around)
    if (found === undefined) return nothing
    const { connection, fixed, source } = found
    const files = SetupFiles.uploadedIn(source)
    const path = files.find((one) => one === asked.posted.get("path"))
    if (path === undefined) return nothing
    const { file } = asked
    const wrong =
      file === undefined
        ? t`Choose a file.`
        : yield* Effect.tryPromise({
            try: () => SetupFiles.renew(around.folder, path, file),
            catch: (cause) => cause
          }).pipe(Effect.catch((cause) => Effect.succeed(t`The file could not be kept: ${String(cause)}`)))
    if (wrong !== undefined)
      return page(asked, { connection, fields: ConnectionSetup.fieldsOf(connection), files, fixed, wrong })
    yield* Changes.note(asked, { connection: connection.id, words: `newer file in the place of ${path}` })
    yield* around.wake(connection.id)
    return { to: "/connections", said: "fileRenewed" }
  })
