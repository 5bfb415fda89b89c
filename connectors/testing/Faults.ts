/**
 * Defines the kit's checks for failing requests: rejections, rate limits, server errors, invalid answers. A connector must
 * wait for what is temporary, say what to do about what is not, lose nothing, and show no secret.
 */
import { bookmark, fold, type RunOptions, run, type Stage, type Subject, tokensOf, vaultOf, Wrong } from "./Subject.ts"
import { type Check, overHttp, same, well } from "./Checks.ts"
import type { Asked } from "./Simulator.ts"

type Make = () => Response

const status =
  (code: number, headers: Record<string, string> = {}, body = '{"error":"no"}'): Make =>
  () =>
    new Response(body, { status: code, headers })

/** Makes data requests fail; requests for tokens are left alone. */
const data = (subject: Subject, make: Make, when: (n: number) => boolean): RunOptions => {
  let n = 0
  return {
    bend: {
      instead: (asked) => (asked.path === tokensOf(subject) || !when(++n) ? undefined : make())
    }
  }
}

const secrets = (subject: Subject): ReadonlyArray<string> => [
  ...Object.values(subject.environment ?? {}),
  ...(subject.oauth === undefined ? [] : [subject.oauth.fresh])
]

const hides = (subject: Subject, shown: string) => {
  for (const secret of secrets(subject)) {
    if (secret !== "" && shown.includes(secret))
      throw new Wrong(`an error shows a secret: ${shown.replace(secret, "…")}`)
  }
}

/** Two requests in the middle fail, and then all succeed: nothing may be missing. */
const passes =
  (make: Make): Check =>
  async (subject, stage) => {
    const should = fold(well(await run(subject, stage)).pages)
    const failing = data(subject, make, (n) => n === 2 || n === 3)
    same(fold(well(await run(subject, stage, failing)).pages), should, "after it had passed")
    return undefined
  }

/** All requests fail: the connector must report a message and not retry forever; what was read before is kept. */
const refused =
  (make: Make, words: RegExp, tag: ReadonlyArray<string>): Check =>
  async (subject, stage) => {
    const failing = data(subject, make, () => true)
    const { error } = await run(subject, stage, failing)
    if (error === undefined) throw new Wrong("it was refused every request, and said that all is well")
    if (!tag.includes(error.reason._tag))
      throw new Wrong(`it says ${error.reason._tag}, and should say ${tag.join(" or ")}`)
    if (!words.test(error.message)) throw new Wrong(`its message does not say what to do: ${error.message}`)
    hides(subject, error.message + JSON.stringify(error))
    return undefined
  }

/** After such an answer the connector must send the same request again, but not before the requested time. */
const waits =
  (headers: Record<string, string>, seconds: number): Check =>
  async (subject, stage) => {
    const limited = data(subject, status(429, headers), (n) => n === 2)
    const { asked } = well(await run(subject, stage, limited))
    const own = asked.filter(({ path }) => path !== tokensOf(subject))
    const [, first] = own
    const again = own.slice(2).find((one) => first !== undefined && sameAs(one, first))
    if (first === undefined || again === undefined) return "the fixtures fit into one request"
    const waited = (again.at ?? 0) - (first.at ?? 0)
    if (waited < (seconds - 1) * 1000)
      throw new Wrong(`it was told to wait ${seconds} seconds, and asked again after ${Math.round(waited / 1000)}`)
    return undefined
  }

const sameAs = (a: Asked, b: Asked) =>
  a.path === b.path && String(a.query) === String(b.query) && a.body === b.body && a.method === b.method

/** All answers are empty: the connector must stop or report an error, and no document may be lost. */
const nothing: Check = async (subject, stage) => {
  const first = well(await run(subject, stage))
  const page = first.pages.at(-1)
  const after = page === undefined ? {} : { after: bookmark(subject.connector, page) }
  const none = () => new Response(null, { status: 204 })
  const ran = await run(subject, stage, { ...after, ...data(subject, none, () => true) })
  const should = fold(first.pages)
  same(fold(ran.pages, should), should, "after empty answers (204)")
  return undefined
}

const interrupted: Check = async (subject, stage) => {
  const should = fold(well(await run(subject, stage)).pages)
  const failing = data(subject, status(401), (n) => n > 3)
  const cut = await run(subject, stage, failing)
  if (cut.error === undefined) return undefined
  hides(subject, cut.error.message + JSON.stringify(cut.error))
  const page = cut.pages.at(-1)
  const rest = well(await run(subject, stage, page === undefined ? {} : { after: bookmark(subject.connector, page) }))
  same(fold(rest.pages, fold(cut.pages)), should, "after it was stopped and run again")
  return undefined
}

const tokens: Check = async (subject: Subject, stage: Stage) => {
  const { oauth } = subject
  if (oauth === undefined) return "it does not authorise with OAuth 2"
  const saved: Array<string> = []
  const order: Array<string> = []
  let refused = false
  const vault = vaultOf(oauth.held, saved)
  const ran = well(
    await run(subject, stage, {
      vault,
      bend: {
        instead: (asked, n) => {
          if (asked.path === oauth.path) {
            order.push("token")
            return undefined
          }
          if (saved.length > 0 && !(asked.headers["authorization"] ?? "").includes(oauth.fresh))
            throw new Wrong("it goes on with the old token after it has a new one")
          if (saved.length === 0 && (asked.headers["authorization"] ?? "").includes(oauth.fresh))
            throw new Wrong("it uses a new token before that is saved")
          if (n >= 2 && !refused) {
            refused = true
            return status(401)()
          }
          return undefined
        }
      }
    })
  )
  if (!refused) return "the fixtures fit into one request"
  if (order.length !== 1) throw new Wrong(`it asked for a new token ${order.length} times, and should once`)
  same(fold(ran.pages), fold(well(await run(subject, stage)).pages), "after the token was renewed")
  return undefined
}

const HTML = "<!DOCTYPE html><html><body>Please sign in</body></html>"
const html: Make = () => new Response(HTML, { headers: { "content-type": "text/html" } })
const truncated: Make = () =>
  new Response('{"data":[{"id":"x","amo', { headers: { "content-type": "application/json" } })
const empty: Make = () => new Response("", { headers: { "content-type": "application/json" } })
const day = { "retry-after": "86400" }

export const TROUBLE = overHttp({
  "says what to do about a wrong key (401)": refused(status(401), /;/, ["Misconfigured"]),
  "says what to do about a missing scope (403)": refused(status(403), /;/, ["Misconfigured"]),
  "waits as long as it is asked to (429, Retry-After)": passes(status(429, { "retry-after": "20" })),
  "waits no less than it is told to (Retry-After)": waits({ "retry-after": "20" }, 20),
  "waits until a limit begins anew (X-RateLimit-Reset)": waits({ "x-rate-limit-time-reset-ms": "20000" }, 20),
  "waits where no time is given (429)": passes(status(429)),
  "leaves a limit of a day to a later run": refused(status(429, day), /run again/, ["Unavailable"]),
  "tries again after a fault of the source (5xx)": passes(status(502)),
  "says so when the fault stays (5xx)": refused(status(500), /again/, ["Unavailable"]),
  "tries again when the JSON is cut off": passes(truncated),
  "takes an empty body for a fault": refused(empty, /cut off|broken|list|again/, ["Unreadable", "Unavailable"]),
  "takes no answer for nothing (204)": nothing,
  "says so when the JSON stays cut off": refused(truncated, /cut off|broken/, ["Unreadable", "Unavailable"]),
  "does not take an answer without its list for an empty one": refused(status(200, {}, "{}"), /no list/, [
    "Unreadable"
  ]),
  "knows a web page from an answer": refused(html, /web page|HTML/i, ["Unreadable", "Misconfigured", "Unavailable"]),
  "goes on where it was stopped": interrupted,
  "renews its token once, and saves it before use": tokens
})
