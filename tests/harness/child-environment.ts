import { patientSettings } from './patient-settings.ts'

/** What every process of ours that a test starts gets. With what was compiled before, it starts in half the time. */
export const childEnvironment = {
  PATH: process.env['PATH'],
  ...patientSettings,
  ...(process.env['NODE_COMPILE_CACHE'] !== undefined && { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] }),
}
