/**
 * The whole service on one machine, written from the specification: behind a port (`start`, `startSandbox`) or
 * inside the process (`Instance`, `InProcess`).
 */
export type { Delivery, Journal } from "./Control.ts"
export type { Fault, FaultKind } from "./Faults.ts"
export * as InProcess from "./InProcess.ts"
export { Instance, type InstanceOptions } from "./Instance.ts"
export { type Sandbox, SandboxError, type SandboxOptions, start, startSandbox } from "./Server.ts"
export type { Webhook } from "./Webhooks.ts"
