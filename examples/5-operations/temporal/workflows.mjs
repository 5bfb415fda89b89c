// Started by a schedule of Temporal for each tenant: `temporal schedule create --schedule-id acme --interval 15m --overlap-policy Skip
// --workflow-type tenantRun --task-queue daybook --input '"acme"'`.
import { proxyActivities } from "@temporalio/workflow"

const { syncTenant } = proxyActivities({
  startToCloseTimeout: "6 hours",
  heartbeatTimeout: "30 seconds",
  retry: { initialInterval: "15 seconds", maximumAttempts: 4 }
})

export const tenantRun = (tenant) => syncTenant(tenant)
