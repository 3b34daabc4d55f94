// A server with one route that does nothing, in a separate process; it prints its address.
import fastify from 'fastify'

const app = fastify()
app.get('/', async () => ({}))
console.log(await app.listen({ host: '127.0.0.1', port: 0 }))
