/** A connector's bookmarks as text, as they are stored. */
import { Effect, Schema } from "effect"
import type { Connector } from "../../connectors/Connector.ts"

export const of = ({ bookmark }: Connector) => {
  const codec = Schema.fromJsonString(Schema.toCodecJson(bookmark))
  return {
    /** A bookmark that this version does not understand is no loss: everything is read once more. */
    read: (stored: string | undefined) =>
      stored === undefined
        ? Effect.succeed(undefined)
        : Effect.catch(Schema.decodeUnknownEffect(codec)(stored), () => Effect.succeed(undefined)),
    write: (bookmark: unknown) => Schema.encodeUnknownEffect(codec)(bookmark)
  }
}
