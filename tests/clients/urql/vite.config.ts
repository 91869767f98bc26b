import { defineConfig, loadEnv } from 'vite'

export default defineConfig(({ mode }) => {
  const service = { target: loadEnv(mode, import.meta.dirname)['VITE_SERVICE_URL'] ?? '', ws: true }
  return { server: { proxy: { '/graphql': service, '/auth': service, '/api': service } } }
})
