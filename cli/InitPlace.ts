/** Determines what `daybook init` writes and where: a new configuration, or an existing one with more connections. */
import { Effect } from "effect"
import { added, freeId, ownerIn } from "../sync/library/config/AddConnections.ts"
import type { Config } from "../sync/library/config/Configuration.ts"
import * as JsonText from "../sync/library/config/JsonText.ts"
import { UsageError } from "../sync/library/Exit.ts"
import type { SetupAnswers } from "../sync/library/FirstConfiguration.ts"
import { isSourceName } from "../sync/library/SourceConfiguration.ts"

export interface InitPlace {
  readonly file: string
  readonly folder: string
  /** The file's contents, if connections are added to it. */
  readonly before?: string
}

export interface InitText {
  readonly text: string
  /** The configuration after writing. */
  readonly config: Config
  /** Only the new connections, to try them out. */
  readonly own: Config
}

/** A connection added to others needs its own name, and has the others' owner unless another is given. */
export const answersFor = (place: InitPlace, answers: SetupAnswers, named: ReadonlyArray<string>): SetupAnswers => {
  const { before } = place
  if (before === undefined) return answers
  const [source] = named
  const wanted = answers.id ?? (source !== undefined && isSourceName(source) ? source : "books")
  const isSame = answers.name === undefined && ownerIn(before) !== undefined
  return { ...answers, id: freeId(before, wanted), ...(isSame ? { name: SAME } : {}) }
}

/** A placeholder for the owner of the other connections. */
const SAME = "the owner of the others"

const owned = (config: Config, before: string): Config => {
  const owner = ownerIn(before)
  if (owner === undefined) return config
  return {
    ...config,
    connections: config.connections.map((one) =>
      one.owner !== undefined && "organisation" in one.owner && one.owner.organisation.name === SAME
        ? { ...one, owner }
        : one
    )
  }
}

export const written = ({ before, file }: InitPlace, made: Config): Effect.Effect<InitText, UsageError> =>
  Effect.try({
    try: () => {
      if (before === undefined) {
        const config = { $schema: "./daybook.schema.json", ...made }
        return { config, own: made, text: `${JSON.stringify(config, null, 2)}\n` }
      }
      const own = owned(made, before)
      const text = added(before, own.connections)
      return { text, config: JsonText.parse(text) as Config, own }
    },
    catch: (cause) => new UsageError({ why: `${file}: ${cause instanceof Error ? cause.message : String(cause)}` })
  })
