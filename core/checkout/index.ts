/**
 * `daybook/checkout`, for the browser: the loader, and the elements as components.
 */
export { load, type LoadOptions, type Sdk } from "./Load.ts"
export { type Props, reactElements } from "./React.ts"
export type * from "./Types.ts"
export { defineElements, type WebComponent } from "./WebComponents.ts"
