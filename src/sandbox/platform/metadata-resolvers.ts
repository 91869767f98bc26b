import { accountResolvers } from './metadata-accounts.ts'
import type { MetadataResolvers } from './metadata-context.ts'
import { fileResolvers } from './metadata-files.ts'
import { keyResolvers } from './metadata-keys.ts'
import { memberResolvers } from './metadata-members.ts'
import { modelResolvers } from './metadata-model.ts'

export const metadataResolvers: MetadataResolvers = {
  ...accountResolvers,
  ...memberResolvers,
  ...modelResolvers,
  ...keyResolvers,
  ...fileResolvers,
}
