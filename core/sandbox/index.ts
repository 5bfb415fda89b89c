/**
 * Runs the whole service on one machine, implemented from the specification: on a port (`start`, `startSandbox`) or within
 * the process (`Instance`, `InProcess`).
 */
export type { Delivery, Journal } from "./server/Control.ts"
export type { Fault, FaultKind } from "./server/Faults.ts"
export * as InProcess from "./server/InProcess.ts"
export { Instance, type InstanceOptions } from "./server/Instance.ts"
export { type Sandbox, SandboxError, type SandboxOptions, start, startSandbox } from "./server/Server.ts"
export type { WebhookTarget } from "./server/Webhooks.ts"
