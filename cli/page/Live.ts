/**
 * Notifies the page's script, while the page is open, that a run began or ended, as server-sent events. The script then
 * reloads the page, so that nothing is shown that the page itself would not show. Without scripts these events are not
 * requested.
 */
import { Stream } from "effect"
import type { RunEvent } from "../../sync/schedule/RunEvents.ts"
import type { Reply } from "../daemon/Server.ts"

/** How often a comment is sent, so that proxies keep the connection open and ended sessions are noticed. */
const BEATS = "15 seconds"
/** How long a browser waits before it reconnects. */
const RETRY_MS = 5000

const line = ({ connection, type }: RunEvent): string => `event: run\ndata: ${JSON.stringify({ connection, type })}\n\n`

/** @param isOpen whether the session is still open */
export const lines = (events: Stream.Stream<RunEvent>, isOpen: () => boolean): Stream.Stream<string> =>
  Stream.merge(
    Stream.map(events, line),
    Stream.map(Stream.tick(BEATS), () => `: here\nretry: ${RETRY_MS}\n\n`)
  ).pipe(Stream.takeWhile(isOpen))

export const reply = (events: Stream.Stream<RunEvent>, isOpen: () => boolean): Reply => ({
  status: 200,
  headers: { "content-type": "text/event-stream", "cache-control": "no-store", "x-accel-buffering": "no" },
  body: Stream.toReadableStream(Stream.encodeText(lines(events, isOpen)))
})
