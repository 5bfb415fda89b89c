/**
 * Notifies the page's script, while the page is open, that a run began or ended, as server-sent events, and how far it has come. The
 * script then reloads the page, so that nothing is shown that the page itself would not show. Without scripts these events are not
 * requested.
 */
import { Stream } from "effect"
import type { RunCounts } from "../../sync/library/RunCounts.ts"
import type { RunEvent } from "../../sync/schedule/RunEvents.ts"
import type { Reply } from "../daemon/Server.ts"

/** How often a comment is sent, so that proxies keep the connection open and ended sessions are noticed. */
const BEATS = "15 seconds"
/** How long a browser waits before it reconnects. */
const RETRY_MS = 5000

const line = ({ connection, type }: RunEvent): string => `event: run\ndata: ${JSON.stringify({ connection, type })}\n\n`

/** How often it is looked at how far runs have come; nothing is sent where nothing changed. */
const LOOKS = "1 second"

type Going = () => ReadonlyArray<RunCounts>

const progress = (going: Going): Stream.Stream<string> =>
  Stream.tick(LOOKS).pipe(
    Stream.map(() => JSON.stringify(going())),
    Stream.changes,
    Stream.map((data) => `event: progress\ndata: ${data}\n\n`)
  )

/** @param isOpen whether the session is still open */
export const lines = (
  events: Stream.Stream<RunEvent>,
  isOpen: () => boolean,
  going: Going = () => []
): Stream.Stream<string> =>
  Stream.map(events, line).pipe(
    Stream.merge(progress(going)),
    Stream.merge(Stream.map(Stream.tick(BEATS), () => `: here\nretry: ${RETRY_MS}\n\n`)),
    Stream.takeWhile(isOpen)
  )

export const reply = (events: Stream.Stream<RunEvent>, isOpen: () => boolean, going: Going): Reply => ({
  status: 200,
  headers: { "content-type": "text/event-stream", "cache-control": "no-store", "x-accel-buffering": "no" },
  body: Stream.toReadableStream(Stream.encodeText(lines(events, isOpen, going)))
})
