import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { proveNginxLogs } from './deploy/nginx-logs.ts'
import { carryOffice } from './deploy/office.ts'
import { startNginx } from './stage/nginx.ts'
import { findOnPath } from '../harness/system.ts'
import { createTempDir } from '../harness/temp-dir.ts'
import { type Figure, proveParts } from './stage/report.ts'

const run = promisify(execFile)
const manifests = 'deploy/kubernetes'
const kubernetesVersion = '1.37.0'

async function validateManifests(program: string): Promise<string> {
  const files = readdirSync(manifests).filter((file) => file !== 'kustomization.yaml')
  await run(program, ['--strict', '--kubernetes-version', kubernetesVersion, ...files.map((file) => join(manifests, file))])
  return `${files.length} manifests are valid for Kubernetes ${kubernetesVersion}, strictly`
}

async function buildKustomization(program: string): Promise<string> {
  const { stdout } = await run(program, ['kustomize', manifests])
  return `the kustomization builds ${stdout.split('\n---\n').length} objects`
}

/** With the programs of this machine in the place of the unit's. */
async function verifyUnit(program: string): Promise<string> {
  await using directory = await createTempDir()
  const name = 'call-center-sidecar.service'
  const unit = await readFile(join('deploy/systemd', name), 'utf8')
  await writeFile(
    join(directory.path, name),
    unit.replace('/opt/call-center-sidecar/node_modules/.bin/node', process.execPath).replaceAll('=sidecar\n', `=${userInfo().username}\n`),
  )
  const { stderr } = await run(program, ['verify', '--man=no', join(directory.path, name)])
  if (stderr.includes(name)) throw new Error(stderr)
  const { stdout } = await run(program, ['security', '--offline=yes', '--no-pager', join(directory.path, name)])
  // The line ends with a picture of a face.
  const exposure =
    stdout
      .trim()
      .split('\n')
      .at(-1)
      ?.replaceAll(/[^ -~]/gu, '')
      .trim() ?? ''
  return `the unit is valid; ${exposure}`
}

async function testNginx(): Promise<string> {
  await using nginx = await startNginx(['127.0.0.1:9', '127.0.0.1:19'])
  return `nginx starts with the configuration at ${new URL(nginx.url).protocol}//`
}

/** Each check needs a program, and proves nothing without it. */
function part(name: string, install: string, check: (program: string) => Promise<string>): () => Promise<readonly Figure[]> {
  return async () => {
    const program = await findOnPath([name])
    if (program === null) return [{ claim: name, figure: `**not checked**: it is not on PATH (${install})`, holds: false }]
    return [{ claim: name, figure: await check(program), holds: true }]
  }
}

await proveParts('Deployment files', {
  manifests: part('kubernetes-validate', 'pip install kubernetes-validate', validateManifests),
  kustomization: part('kubectl', 'kubernetes.io', buildKustomization),
  systemd: part('systemd-analyze', 'apt install systemd', verifyUnit),
  nginx: part('nginx', 'apt install nginx', testNginx),
  'nginx-logs': part('nginx', 'apt install nginx', proveNginxLogs),
  office: part('nginx', 'apt install nginx', carryOffice),
})
