/**
 * Defines how a command ends: 0 done; 1 failed; 2 usage or configuration; 3 done, and something needs attention; 4 stopped
 * by a guard; 5 another process holds the state. `plan --detailed-exitcode`: 6, there is something to do.
 */
import { Cause, Schema } from "effect"
import { describe, ServiceError } from "../../core/ServiceError.ts"
import { hide } from "./Hidden.ts"

/** Everything has been reported; the command exits with this status. */
export class Exit extends Schema.TaggedError<Exit>()("Exit", { status: Schema.Int }) {}

/** The command cannot do what was asked; `message` says what happened, where, and what to do. */
export class UsageError extends Schema.TaggedError<UsageError>()("UsageError", { why: Schema.String }) {
  override get message(): string {
    return this.why
  }
}

/** @param opens what makes a new one */
export const closed = (opens: string): UsageError =>
  new UsageError({ why: `this handle was closed, and nothing can be asked of it any more: make another with ${opens}` })

/** A decision was made about a plan that is not the one that waits. */
export class NotDecided extends Schema.TaggedError<NotDecided>()("NotDecided", { why: Schema.String }) {
  override get message(): string {
    return this.why
  }
}

export const ATTENTION = 3
export const SOMETHING_TO_DO = 6

interface Failure {
  readonly _tag?: string
  readonly kind?: string
  readonly reason?: { readonly _tag?: string }
}

/** The exit status of an error. */
export const statusOf = (error: unknown): number => {
  const { _tag, kind, reason } = (error ?? {}) as Failure
  switch (_tag) {
    case "ConfigError":
    case "UsageError":
    case "ShowHelp":
      return 2
    case "SourceError":
      return reason?._tag === "Misconfigured" ? 2 : 1
    case "ExportError":
      return kind === "ending" || kind === "no folder" || kind === "not a file" ? 2 : 1
    case "FirstSync":
    case "GuardError":
    case "NotDecided":
    case "PlanEdited":
    case "PlanMoved":
      return 4
    case "StateError":
      return kind === "locked" ? 5 : kind === "other service" || kind === "other source" ? 4 : 1
    default:
      return 1
  }
}

/** The message for an error: one paragraph, no stack. */
export const messageOf = (error: unknown): string => hide(saidBy(error))

const saidBy = (error: unknown): string => {
  // The operation's name is for programs.
  if (error instanceof ServiceError) return describe(error.reason)
  if (error instanceof Error && error.message !== "") return error.message
  return typeof error === "string" ? error : Cause.pretty(Cause.fail(error))
}
