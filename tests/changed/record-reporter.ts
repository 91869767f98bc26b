import type { Reporter } from 'vitest/node'
import { forgetExecuted, root } from './record.ts'
import { relative } from 'node:path'

/** What a failed file executed is not all that it executes: until it passes, it is chosen by its imports. */
export function recordReporter(): Reporter {
  return {
    onTestModuleEnd(module) {
      if (!module.ok()) forgetExecuted(relative(root, module.moduleId).replaceAll('\\', '/'))
    },
  }
}
