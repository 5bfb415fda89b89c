/**
 * Checks a service's test environment against every assumption that the rules make: whether it holds, and what Daybook does where
 * it does not. Refuses to create anything where nobody said that it is a test environment.
 */
import { Clock, Effect, Schema } from "effect"
import type { Operations } from "../../core/Operations.ts"
import type { ServiceError } from "../../core/ServiceError.ts"
import type { OrganisationId, TransactionId, UserId } from "../../core/wire/Ids.ts"
import { ASSUMPTIONS, type Probe } from "../rules/Assumptions.ts"
import { type ProbeFinding, probeAll, type TestDocument } from "./ServiceProbes.ts"

const Text = Schema.String

/** One row of `Assumptions.ts`, with what was found. */
const CheckedAssumption = Schema.Struct({
  id: Text,
  says: Text,
  standing: Schema.Literals(["holds", "does not hold", "cannot be probed here"]),
  /** What the service answered, or why it was not asked. */
  found: Text,
  /** What Daybook does where the service is otherwise. */
  otherwise: Text
})

export const ServiceCheck = Schema.Struct({
  assumptions: Schema.Array(CheckedAssumption),
  /** What was created, in the order in which that was done, and whether it was removed again. */
  documents: Schema.Array(
    Schema.Struct({
      kind: Schema.Literals(["organisation", "user", "invoice", "order"]),
      id: Text,
      name: Text,
      removed: Schema.Boolean
    })
  )
})
export type ServiceCheck = typeof ServiceCheck.Type

/** Words that a test environment's address has as a part of its host's name. */
const TEST = /(^|[.-])sandbox([.-]|$)/

/** Why nothing may be created there, unless a person names its host; undefined for this machine, and for a sandbox by name. */
export const notATest = (address: string, named: string | undefined): string | undefined => {
  const { host, hostname } = new URL(address)
  if (["localhost", "127.0.0.1", "[::1]"].includes(hostname) || TEST.test(hostname) || named === host) return undefined
  return `nothing says that ${host} is a test environment, and the check creates an organisation, an invoice, a payment and an order there; if it is one, run again with --test-environment ${host}`
}

/** Whether it could be removed. */
const removed = ({ organisations, transactions, users }: Operations, { id, kind }: TestDocument) => {
  const ways: Readonly<Record<TestDocument["kind"], Effect.Effect<unknown, unknown>>> = {
    invoice: transactions.remove({ params: { transaction_id: id as TransactionId } }),
    user: users.remove({ params: { user_id: id as UserId } }),
    organisation: organisations.remove({ params: { organisation_id: id as OrganisationId } }),
    // The service has no way to do that.
    order: Effect.fail("stays")
  }
  return Effect.match(ways[kind], { onFailure: () => false, onSuccess: () => true })
}

/**
 * @param stranger the same service, asked with a key that it cannot know
 * @param settleAfter milliseconds
 */
export const check = (
  client: Operations,
  stranger: Operations,
  settleAfter: number
): Effect.Effect<ServiceCheck, ServiceError> =>
  Effect.gen(function* () {
    const run = `daybook-check-${(yield* Clock.currentTimeMillis).toString(36)}`
    const documents: Array<TestDocument> = []
    const findings = new Map<string, ProbeFinding>()
    yield* probeAll({
      client,
      stranger,
      run,
      settleAfter,
      created: (one) => void documents.push(one),
      found: (probe: Probe, finding) => void findings.set(probe, finding)
    })
    const gone = new Set<string>()
    // The last first: an organisation that owns something stays.
    for (const one of documents.toReversed()) if (yield* removed(client, one)) gone.add(one.id)
    return {
      assumptions: ASSUMPTIONS.map(({ id, otherwise, says, unprobed }) => {
        const { found, standing } = findings.get(id) ?? {
          standing: "cannot be probed here" as const,
          found: unprobed ?? "the service did not let it come to that"
        }
        return { id, says, standing, found, otherwise }
      }),
      documents: documents.map((one) => ({ ...one, removed: gone.has(one.id) }))
    }
  })
