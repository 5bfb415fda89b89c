/** Method and path of each operation, by its name; the bundle has it as a table, made when it is built, and need not load the API. */
import { ServiceApi } from "./Api.ts"

export interface Route {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  readonly path: string
}

export const routes: Readonly<Record<string, Route>> = Object.fromEntries(
  Object.entries(ServiceApi.groups).flatMap(([group, { endpoints }]) =>
    Object.entries(endpoints as Record<string, Route>).map(([name, { method, path }]) => [
      `${group}.${name}`,
      { method, path }
    ])
  )
)
