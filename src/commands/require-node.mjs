import module from 'node:module'
import { setFlagsFromString } from 'node:v8'

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 24 || (major === 24 && minor < 9)) {
  console.error(
    `This service needs Node 24.9 or later; this is ${process.versions.node}. On Linux and Windows (x64, and arm64 on Linux) ` +
      '"npm install" brings one along for its own scripts: run it, then use "npm start" or "npm test". Elsewhere (macOS) install ' +
      'Node 24 first, for example with "brew install node@24" or "nvm install 24".',
  )
  process.exit(1)
}

// What was stripped and compiled once need not be again: a warm start takes half the time.
module.enableCompileCache()

// Young garbage is collected by the thread that made it: on requests as small as ours the helpers cost more than they save.
setFlagsFromString('--no-parallel-scavenge')

// Answers pass through in buffers outside the heap. Before 14.8, V8 begins a full collection after so many bytes of them, even if most are
// garbage by then. With answers of 1 MB that was one for each 75 answers, and half of the processor time. From 14.8 on there is no such flag.
const [v8Major = 0, v8Minor = 0] = process.versions.v8.split('.').map(Number)
if (v8Major < 14 || (v8Major === 14 && v8Minor < 8)) setFlagsFromString('--external-memory-accounted-in-global-limit')
