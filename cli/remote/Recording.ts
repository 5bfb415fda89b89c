/** Keeps who decided what over the HTTP interface, as the page does for its forms. */
import { Effect } from "effect"
import { concerned, withPaid } from "../../sync/decisions/Concerned.ts"
import { keepDecision } from "../../sync/decisions/Recorded.ts"
import type { Configuration } from "../../sync/library/config/Configuration.ts"
import type { Person } from "../../sync/model/Person.ts"
import type { Right } from "../../sync/model/Roles.ts"
import { Database, type Db } from "../../sync/state/Database.ts"
import type { Reply, Request as Asked } from "../daemon/Server.ts"
import { PREFIX } from "./HttpInterface.ts"

type Answer = (request: Asked) => Effect.Effect<Reply>

/** They only read, make a link, or ask for a run. */
const DECIDE_NOTHING = /^(?:reconcile(?:\/independent)?|connections\/[^/]+\/(?:pull|sync)|connect-links|alerts\/.*)$/

/** A plan is not caused by the decision about it. */
const CAUSE_NOTHING = /^approvals\//

const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

const READING: ReadonlyArray<Right> = ["look", "prepare", "link"]

/** The fields of a body that are text; files have none. */
const fieldsOf = ({ body, headers }: Pick<Asked, "body" | "headers">): URLSearchParams => {
  try {
    if (headers["content-type"]?.startsWith("application/json") !== true) return new URLSearchParams()
    const found: unknown = JSON.parse(Buffer.from(body).toString("utf8"))
    const texts = Object.entries(found ?? {}).filter((one): one is [string, string] => typeof one[1] === "string")
    return new URLSearchParams(texts)
  } catch {
    return new URLSearchParams()
  }
}

/** @param whoOf who sends a request, undefined if nobody known does */
export const recording =
  (
    db: Db,
    configuration: Effect.Effect<Configuration>,
    whoOf: (request: Asked) => Effect.Effect<Person | undefined>,
    answer: Answer
  ): Answer =>
  (request) =>
    Effect.gen(function* () {
      const path = request.path.slice(`${PREFIX}/`.length)
      const who = request.method === "POST" && !DECIDE_NOTHING.test(path) ? yield* whoOf(request) : undefined
      // Those who may only read are refused: nothing is decided, so nothing is recorded.
      if (who === undefined || who.rights.every((right) => READING.includes(right))) return yield* answer(request)
      const words = path.split("/").map(decoded)
      const fields = fieldsOf(request)
      // Offers are named by their invoice.
      const place = words[0] === "cover" ? ["cover", words[2] ?? ""] : words
      const about = yield* db.read(() => concerned(db, place, fields))
      const { connections } = yield* configuration
      const deed = {
        who: {
          ...who,
          name: fields.get("by") === null || who.issuer !== "token" ? who.name : `${fields.get("by")} (${who.name})`
        },
        from: request.from,
        deed: `POST ${PREFIX}/${path}`,
        connections: withPaid(about, connections),
        about: words[1] ?? "",
        digest: fields.get("digest"),
        causes: !CAUSE_NOTHING.test(path)
      }
      return yield* keepDecision(deed, answer(request), ({ status }) => (status < 300 ? "done" : undefined))
    }).pipe(Effect.provideService(Database, db), Effect.orDie)
