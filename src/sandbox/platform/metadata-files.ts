import { extname } from 'node:path'
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { isoMoment } from '../clock.ts'
import { newId } from '../ids.ts'
import type { StandInAnswer } from '../stand-in.ts'
import { requireSettings, requireUser, type UserCaller } from './callers.ts'
import type { MetadataContext, MetadataResolvers } from './metadata-context.ts'
import type { World } from './fixtures.ts'

const withFile = z.object({ file: z.object({ name: z.string(), contentType: z.string(), bytes: z.instanceof(Buffer) }) })

/** Uploaded pictures. Each has an address that contains a token, until the stand-in stops. */
export const fileResolvers: MetadataResolvers = {
  uploadWorkspaceMemberProfilePicture: (args, context) => keep(args, context, requireUser(context.caller)),
  uploadWorkspaceLogo: (args, context) => keep(args, context, requireSettings(requireUser(context.caller))),
}

function keep(args: unknown, { world }: MetadataContext, { workspace }: UserCaller) {
  const { file } = withFile.parse(args)
  const id = newId()
  const path = `core-picture/${id}${extname(file.name)}`
  const token = randomBytes(24).toString('base64url')
  world.files.set(`/file/${path}?token=${token}`, file)
  const url = new URL(`file/${path}?token=${token}`, world.frontendOf(workspace.row())).href
  return { id, path, size: file.bytes.length, createdAt: isoMoment(world.clock.now()), url }
}

/** The file at an address with its token; null if there is none. */
export function fileAnswer(world: World, pathAndQuery: string): StandInAnswer | null {
  const file = world.files.get(pathAndQuery)
  return file ? { headers: { 'content-type': file.contentType }, body: file.bytes } : null
}
