import { platformErrorOf } from './failure.ts'

/**
 * The fields of a role, for queries. A platform without `canUpdateAllSettings` refuses the whole document: then it is asked again without that
 * field, and from then on at once.
 */
export function createRoleFields() {
  let fields = 'label canUpdateAllSettings'
  return {
    async ask<Answer>(request: (fields: string) => Promise<Answer>): Promise<Answer> {
      try {
        return await request(fields)
      } catch (error) {
        if (platformErrorOf(error)?.facts.kind !== 'UNKNOWN_FIELD' || fields === 'label') throw error
        fields = 'label'
        return request(fields)
      }
    },
  }
}
