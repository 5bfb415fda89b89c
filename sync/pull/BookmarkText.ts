/** A connector's bookmarks as text, as they are stored. */
import { Effect, Schema } from "effect"
import type { Connector } from "../../connectors/Connector.ts"

export const of = ({ bookmark }: Connector) => {
  const codec = Schema.fromJsonString(Schema.toCodecJson(bookmark))
  let last: { readonly of: unknown; readonly text: string } | undefined
  return {
    /** A bookmark that this version does not understand is no loss: everything is read once more. */
    read: (stored: string | undefined) =>
      stored === undefined
        ? Effect.succeed(undefined)
        : Effect.catch(Schema.decodeUnknownEffect(codec)(stored), () => Effect.succeed(undefined)),
    /** Several pages may have one bookmark, which may be large; one that is frozen is the same as it was. */
    write: (bookmark: unknown) =>
      last !== undefined && last.of === bookmark && Object.isFrozen(bookmark)
        ? Effect.succeed(last.text)
        : Effect.tap(Schema.encodeUnknownEffect(codec)(bookmark), (text) =>
            Effect.sync(() => void (last = { of: bookmark, text }))
          )
  }
}
