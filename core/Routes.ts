/** Method and path of each operation, by its name; the bundle has it as a table, made when it is built, and need not load the API. */
import { ServiceApi } from "./Api.ts"

export interface OperationRoute {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  readonly path: string
}

export const routes: Readonly<Record<string, OperationRoute>> = Object.fromEntries(
  Object.entries(ServiceApi.groups).flatMap(([group, { endpoints }]) =>
    Object.entries(endpoints as Record<string, OperationRoute>).map(([name, { method, path }]) => [
      `${group}.${name}`,
      { method, path }
    ])
  )
)
