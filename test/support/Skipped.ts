/** The status with which a command ends that cannot run on this machine, after it has said why. */
export const SKIPPED = 77
