// A cell: the kind of program a model writes to use your tools. Run it from the plugin's folder:
//
//   npx openclaw exec --plugin . cells/hello.ts
//
const [found] = await catalog.search("echo input text", { limit: 1 });
text(`found: ${found.toolName}`);

const reply = await echo({ input: "Hello from __NAME__" });
return reply.input;
