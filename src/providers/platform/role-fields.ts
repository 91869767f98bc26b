import { platformErrorOf } from './failure.ts'

/**
 * The fields of a role, for queries. A platform without `canUpdateAllSettings` refuses the whole document: then it is asked again without that
 * field, and from then on at once.
 */
export function createRoleFields() {
  let knowsSettingsRight = true
  return {
    async ask<Answer>(request: (fields: string) => Promise<Answer>): Promise<Answer> {
      if (!knowsSettingsRight) return request(labelOnly)
      try {
        return await request(`${labelOnly} canUpdateAllSettings`)
      } catch (error) {
        if (platformErrorOf(error)?.facts.kind !== 'UNKNOWN_FIELD') throw error
        const answer = await request(labelOnly)
        knowsSettingsRight = false
        return answer
      }
    },
  }
}

const labelOnly = 'label'
