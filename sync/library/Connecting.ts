/**
 * Carries out what the person who opened a link does, step by step and independent of any page: which settings are still
 * missing, the connection that their answers make, its first documents, and its entry in the file of connections. Until that
 * entry is written, secrets and files are stored under the link's own name, and deleted if it is cancelled.
 */
import { Clock, Effect, Semaphore } from "effect"
import { existsSync, readdirSync, rmSync } from "node:fs"
import { rm } from "node:fs/promises"
import { join, resolve } from "node:path"
import type { Connector, Requirements, SourceError } from "../../connectors/Connector.ts"
import * as Links from "../connect/Links.ts"
import type { Connection } from "../model/Connection.ts"
import * as ConnectorContext from "../pull/ConnectorContext.ts"
import type * as Preview from "../pull/Preview.ts"
import type { StateError, Db } from "../state/Database.ts"
import { connectionIdOf } from "./ConnectLinks.ts"
import * as ConnectionsFile from "./config/ConnectionsFile.ts"
import { type ConfigError, type Configuration, decode } from "./config/Configuration.ts"
import type { ConnectSettings } from "./config/ConnectSettings.ts"
import * as ConnectorRegistry from "./ConnectorRegistry.ts"
import { UsageError } from "./Exit.ts"
import * as FileExamination from "./FileExamination.ts"
import type * as FirstConfiguration from "./FirstConfiguration.ts"
import * as PreviewApart from "./PreviewApart.ts"
import { givenOf, needsOf, type SourceNeed } from "./SourceNeeds.ts"

/** An uploaded file. */
export interface UploadedFile {
  /** The name on the person's machine. */
  readonly shown: string
  /** The name in the link's folder. */
  readonly name: string
  readonly bytes: number
}

/** The progress of a link. */
export interface ConnectProgress {
  readonly connector?: string
  /** Settings that are not secret. */
  readonly given?: Readonly<Record<string, string>>
  /** Settings whose values are encrypted in the vault. */
  readonly sealed?: ReadonlyArray<string>
  /** The source has authorised us. */
  readonly authorised?: boolean
  /** How many attempts were made: each has its own OAuth state and verifier. */
  readonly attempts?: number
  readonly reached?: ReadonlyArray<{ readonly setting: string; readonly value: string; readonly name?: string }>
  readonly files?: ReadonlyArray<UploadedFile>
  /** All files have been uploaded. */
  readonly uploaded?: boolean
  readonly answers?: FirstConfiguration.SetupAnswers
}

export const progressOf = ({ progress }: Links.Link): ConnectProgress => progress as ConnectProgress

/** A source that may be chosen. */
export interface ConnectSource {
  /** The name in links and in the configuration. */
  readonly name: string
  readonly connector: Connector
  readonly template: Readonly<Record<string, unknown>>
}

/** The sources of the configuration. Those that cannot be loaded are a sentence. */
export const sourcesOf = ({
  bounds,
  folder,
  daemon: { connect }
}: Configuration): Effect.Effect<ReadonlyArray<ConnectSource | string>> =>
  Effect.promise(async () => {
    const sources = connect?.sources ?? []
    const loaded = await ConnectorRegistry.load({ connections: sources.map((source) => ({ source })) }, folder, bounds)
    return sources.map(({ connector: name, ...template }) => {
      const connector = loaded.get(name) ?? ConnectorRegistry.unknown(name)
      return typeof connector === "string" ? connector : { name, connector, template }
    })
  })

/** Everything about an opened link. */
export interface Connecting {
  readonly configuration: Configuration
  readonly connect: ConnectSettings
  readonly db: Db
  readonly link: Links.Link
  readonly sources: ReadonlyArray<ConnectSource>
}

export const isFiles = ({ name }: ConnectSource): boolean => name === "files"

export const chosenOf = ({ link, sources }: Connecting): ConnectSource | undefined => {
  const { connector } = progressOf(link)
  return link.terms.connectors.includes(connector ?? "") ? sources.find(({ name }) => name === connector) : undefined
}

/** The sources that this link allows. */
export const choicesOf = ({ link, sources }: Connecting): ReadonlyArray<ConnectSource> =>
  sources.filter(({ name }) => link.terms.connectors.includes(name))

/** The name for the link's secrets until it is confirmed. No connection can have such a name. */
const stagingOf = ({ token }: Links.Link): string => `link:${token.slice(0, 22)}`

/** Each upload has its own folder: the one in use stays until the next one is confirmed. */
const folderName = ({ token }: Links.Link): string => token.slice(0, 12).replace(/[^A-Za-z0-9]/g, "0")

const uploadsOf = (folder: string, id: string): string => join(resolve(folder), "connected", id)

export const idOf = ({ link }: Connecting, { name }: ConnectSource): string => connectionIdOf(link.tenant, name)

/** The folder of the link's files. */
export const filesFolder = (connecting: Connecting, source: ConnectSource): string =>
  join(uploadsOf(connecting.configuration.folder, idOf(connecting, source)), folderName(connecting.link))

/** The variable name for a connection's secret; no two connections share one. */
const variableOf = (id: string, setting: string): string =>
  `CONNECTED_${id}_${setting}`.toUpperCase().replace(/[^A-Z0-9]/g, "_")

/** The settings known so far. */
export const settingsOf = (connecting: Connecting, source: ConnectSource): Readonly<Record<string, unknown>> => {
  const { given = {}, sealed = [] } = progressOf(connecting.link)
  const id = idOf(connecting, source)
  return {
    ...source.template,
    ...given,
    ...Object.fromEntries(sealed.map((name) => [name, { env: variableOf(id, name) }]))
  }
}

/** The settings that are still missing, for a source that is authorised or needs no authorisation. */
export const asksOf = (connecting: Connecting, source: ConnectSource): ReadonlyArray<SourceNeed> =>
  isFiles(source) ? [] : needsOf(source.connector, settingsOf(connecting, source))

/** How the source authorises, if it has a page for that. */
export const authorisationOf = (connecting: Connecting, { connector, template }: ConnectSource) =>
  connector.authorisation?.({ ...givenOf(template), ...progressOf(connecting.link).given } as never)

const stagedAs = ({ link }: Connecting, { connector }: ConnectSource): Connection =>
  ({ id: stagingOf(link), connector, settings: {}, planning: {} }) as unknown as Connection

const sealsOf = (connecting: Connecting, source: ConnectSource) =>
  Effect.flatMap(ConnectorContext.seals(connecting.configuration, stagedAs(connecting, source)), (seals) =>
    seals === undefined
      ? Effect.fail(new UsageError({ why: "no key is set to seal secrets with: set DAYBOOK_SEAL" }))
      : Effect.succeed(seals)
  )

/** Where the link's tokens are stored until it is confirmed. */
export const stagedTokens = (connecting: Connecting, source: ConnectSource) =>
  Effect.map(sealsOf(connecting, source), (seals) =>
    ConnectorContext.tokens(seals, stagedAs(connecting, source), connecting.db.file)
  )

/** Encrypts the values of secret settings under the link's own name. */
export const sealSecrets = (
  connecting: Connecting,
  source: ConnectSource,
  values: Readonly<Record<string, string>>
): Effect.Effect<void, SourceError | UsageError> =>
  Effect.gen(function* () {
    const seals = yield* sealsOf(connecting, source)
    const box = ConnectorContext.secrets(seals, stagedAs(connecting, source), connecting.db.file)
    const id = idOf(connecting, source)
    const before = yield* box.read
    const named = Object.entries(values).map(([name, value]) => [variableOf(id, name), value])
    yield* box.put(
      JSON.stringify({ ...(before === undefined ? {} : JSON.parse(before)), ...Object.fromEntries(named) })
    )
  })

/** The files that were uploaded. */
const pathsOf = (connecting: Connecting, source: ConnectSource): ReadonlyArray<string> => {
  const place = filesFolder(connecting, source)
  return (progressOf(connecting.link).files ?? []).map(({ name }) => join(place, name))
}

/** The configuration that `init` derives from the uploaded files. */
export const draftOf = (
  connecting: Connecting,
  source: ConnectSource
): Effect.Effect<FirstConfiguration.Initial & Pick<FileExamination.Examination, "headings">, UsageError> =>
  Effect.gen(function* () {
    const { answers } = progressOf(connecting.link)
    const folder = resolve(connecting.configuration.folder)
    const { headings, initial } = yield* FileExamination.examine(pathsOf(connecting, source), folder)
    const id = idOf(connecting, source)
    return { ...(yield* initial({ folder, answers: { ...answers, name: id, id } })), headings }
  }).pipe(Effect.scoped)

/** The connections in the format of the file. */
const entriesOf = (connecting: Connecting, source: ConnectSource) =>
  Effect.gen(function* () {
    const { approve, every, first_sync } = connecting.connect
    const ours = {
      ...(every === undefined ? {} : { every }),
      ...(approve === undefined ? {} : { approve })
    }
    const owned = { ...ours, ...(first_sync === undefined ? {} : { first_sync }), owner: connecting.link.terms.owner }
    if (!isFiles(source)) {
      const settings = settingsOf(connecting, source)
      return [{ id: idOf(connecting, source), source: { connector: source.name, ...settings }, ...owned }]
    }
    const { config } = yield* draftOf(connecting, source)
    // Payments of a second connection are planned with the connection that they are for.
    return config.connections.map(({ owner, ...one }) =>
      owner === undefined ? { ...one, ...ours } : { ...one, ...owned }
    )
  })

/** What would be written, and the connections that it defines. */
export interface ConnectCandidate {
  readonly entries: ReadonlyArray<ConnectionsFile.WrittenConnection>
  readonly connections: ReadonlyArray<Connection>
}

export const candidateOf = (
  connecting: Connecting,
  source: ConnectSource
): Effect.Effect<ConnectCandidate, UsageError | ConfigError> =>
  Effect.gen(function* () {
    const { configuration } = connecting
    const entries = yield* entriesOf(connecting, source)
    const { folder } = configuration
    const service = { url: "http://localhost", key: { env: "SERVICE_KEY" } }
    const decoded = yield* decode(
      { service, connections: entries },
      { file: "what was entered", folder, environment: configuration.environment, bounds: configuration.bounds }
    )
    return { entries, connections: decoded.connections }
  })

/** Whether who opened the link entered where it is read. */
export const isEntered = ({ connect }: Connecting, { entries }: ConnectCandidate): boolean =>
  ConnectionsFile.entered(entries, connect).size > 0

/** The first documents of each connection, read with the link's own secrets. */
export const previewOf = (
  connecting: Connecting,
  source: ConnectSource,
  { connections, entries }: ConnectCandidate
): Effect.Effect<ReadonlyArray<Preview.Preview>, SourceError | UsageError, Requirements> => {
  const { configuration, connect, db, link } = connecting
  const entered = ConnectionsFile.entered(entries, connect)
  const ours = connections.map((connection) => {
    const where = entered.get(connection.id)
    return { ...connection, id: stagingOf(link), ...(where === undefined ? {} : { entered: where }) }
  })
  return isFiles(source)
    ? FileExamination.previews(ours, configuration, pathsOf(connecting, source))
    : Effect.forEach(ours, (one) => PreviewApart.preview(configuration, one, db.file, FileExamination.PREVIEW_ROWS))
}

/** Allows one at a time: the file of connections is read and rewritten. */
const writing = Semaphore.makeUnsafe(1)

/** Creates the connection. After an interruption, repeating it completes the rest, and does nothing twice. */
export const confirm = (
  connecting: Connecting,
  source: ConnectSource
): Effect.Effect<ReadonlyArray<string>, UsageError | ConfigError | SourceError | StateError> =>
  Effect.gen(function* () {
    const { configuration, db, link } = connecting
    const id = idOf(connecting, source)
    const { entries } = yield* candidateOf(connecting, source)
    if (!isFiles(source)) {
      const seals = yield* sealsOf(connecting, source)
      const staged = stagedAs(connecting, source)
      // Moved, not copied: if the daemon has used the tokens since, older ones must not come back.
      yield* ConnectorContext.tokens(seals, staged, db.file).moveTo({ name: id })
      yield* ConnectorContext.secrets(seals, staged, db.file).moveTo({ name: `${id}#secrets` })
    }
    const now = yield* Clock.currentTimeMillis
    yield* writing.withPermit(
      Effect.try({
        try: () =>
          ConnectionsFile.put(ConnectionsFile.fileOf(resolve(configuration.file)), entries, [`${id}-payments`]),
        catch: (cause) => new UsageError({ why: `the connection cannot be written: ${String(cause)}` })
      })
    )
    yield* db.transaction(() => Links.end(db, link, "connected", now))
    if (isFiles(source)) dropOthers(uploadsOf(configuration.folder, id), folderName(link))
    return entries.map((one) => one.id)
  })

/** Deletes earlier uploads, which nothing reads any more. */
const dropOthers = (folder: string, kept: string): void => {
  if (!existsSync(folder)) return
  for (const name of readdirSync(folder))
    if (name !== kept) rmSync(join(folder, name), { recursive: true, force: true })
}

/** Deletes everything that a link has kept: files and secrets of each source that was chosen meanwhile. */
export const drop = (connecting: Connecting): Effect.Effect<void> =>
  Effect.gen(function* () {
    const { db, sources } = connecting
    for (const source of sources) {
      if (isFiles(source))
        yield* Effect.promise(() => rm(filesFolder(connecting, source), { recursive: true, force: true }))
      else if (ConnectorContext.hasVault(db.file)) {
        const seals = yield* sealsOf(connecting, source)
        const staged = stagedAs(connecting, source)
        yield* ConnectorContext.tokens(seals, staged, db.file).clear
        yield* ConnectorContext.secrets(seals, staged, db.file).clear
      }
    }
  }).pipe(Effect.catch((error) => Effect.logWarning(`what a link kept is still there: ${error.message}`)))
