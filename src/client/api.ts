// Made from docs/reference/openapi.json: npm run reference

export interface paths {
    "/api/v1/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the agents of the fleet, oldest first.
         * @description Lists the agents of the fleet, oldest first.
         *
         *     Requires the role viewer.
         */
        get: operations["listAgents"];
        put?: never;
        /**
         * Creates an agent and starts it.
         * @description The manifest is JSON ({"manifest": …}), or YAML with the content type application/yaml. A manifest of an operator that asks for a credential, a wider policy, a level below L2, hosts for cells that hold something of yours, an endpoint or an address in your network waits for an owner, except for what the agent was approved with and for `fleet.credentials`.
         *
         *     Requires the role operator.
         */
        post: operations["createAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/{agent}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns one agent.
         * @description Returns one agent.
         *
         *     Requires the role viewer.
         */
        get: operations["getAgent"];
        /**
         * Replaces the manifest of an agent. Running jobs keep the manifest that they started with.
         * @description A manifest of an operator that asks for a credential, a wider policy, a level below L2, hosts for cells that hold something of yours, an endpoint or an address in your network waits for an owner, except for what the agent was approved with and for `fleet.credentials`.
         *
         *     Requires the role operator.
         */
        put: operations["editAgent"];
        post?: never;
        /**
         * Ends the jobs of an agent and deletes it with its jobs, home and workspace.
         * @description Ends the jobs of an agent and deletes it with its jobs, home and workspace.
         *
         *     Requires the role operator.
         */
        delete: operations["deleteAgent"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/{agent}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approves or refuses the manifest of an agent that waits for an owner.
         * @description Approves or refuses the manifest of an agent that waits for an owner.
         *
         *     Requires the role owner.
         */
        post: operations["approveAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/{agent}/archive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ends the jobs of an agent and keeps it readable. Its name becomes free.
         * @description Ends the jobs of an agent and keeps it readable. Its name becomes free.
         *
         *     Requires the role operator.
         */
        post: operations["archiveAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/{agent}/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns a directory or file of the workspace that an agent keeps between jobs.
         * @description Returns a directory or file of the workspace that an agent keeps between jobs.
         *
         *     Requires the role viewer.
         */
        get: operations["lookAtFiles"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/{agent}/memory": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists what an agent remembers of its jobs, newest first; at most 200.
         * @description Lists what an agent remembers of its jobs, newest first; at most 200.
         *
         *     Requires the role viewer.
         */
        get: operations["listMemory"];
        put?: never;
        post?: never;
        /**
         * Makes an agent forget all jobs. The jobs themselves are kept.
         * @description Makes an agent forget all jobs. The jobs themselves are kept.
         *
         *     Requires the role operator.
         */
        delete: operations["forgetAll"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/{agent}/memory/{job}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Makes an agent forget one job. The job itself is kept.
         * @description Makes an agent forget one job. The job itself is kept.
         *
         *     Requires the role operator.
         */
        delete: operations["forgetJob"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/{agent}/policy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns what an agent may do, in plain language.
         * @description Returns what an agent may do, in plain language.
         *
         *     Requires the role viewer.
         */
        get: operations["getPolicy"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/{agent}/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Opens a terminal in the home and workspace of an agent.
         * @description Opens a terminal in the home and workspace of an agent.
         *
         *     Requires the role operator or borrower.
         */
        post: operations["openTerminal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/{agent}/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Starts an agent, which then works on its queue.
         * @description Starts an agent, which then works on its queue.
         *
         *     Requires the role operator.
         */
        post: operations["startAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/{agent}/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stops an agent: it takes no more work, and running jobs continue.
         * @description Stops an agent: it takes no more work, and running jobs continue.
         *
         *     Requires the role operator.
         */
        post: operations["stopAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/approvals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists what this user's cells wait for a human to allow, and the answers that were given for always.
         * @description Lists what this user's cells wait for a human to allow, and the answers that were given for always.
         *
         *     Requires the role viewer.
         */
        get: operations["listApprovals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/approvals/{answer}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Removes an answer that was given for always. Later cells ask again; running cells keep it.
         * @description Removes an answer that was given for always. Later cells ask again; running cells keep it.
         *
         *     Requires the role owner.
         */
        delete: operations["forgetApproval"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/approvals/{approval}/answer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Allows or denies what a cell waits for.
         * @description Allows or denies what a cell waits for.
         *
         *     Requires the role operator.
         */
        post: operations["answerApproval"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the newest lines of the audit log, oldest first.
         * @description Returns the newest lines of the audit log, oldest first.
         *
         *     Requires the role owner.
         */
        get: operations["readAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/audit/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns whether the chain of the audit log is intact.
         * @description Returns whether the chain of the audit log is intact.
         *
         *     Requires the role owner.
         */
        get: operations["verifyAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/budgets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the budgets for a day and a month (UTC) of the fleet and its agents, and how much of each is used.
         * @description Returns the budgets for a day and a month (UTC) of the fleet and its agents, and how much of each is used.
         *
         *     Requires the role viewer.
         */
        get: operations["getBudgets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/capabilities": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns what this machine can enforce, from the last check.
         * @description Returns what this machine can enforce, from the last check.
         *
         *     Requires the role viewer.
         */
        get: operations["getCapabilities"];
        put?: never;
        /**
         * Checks again what this machine can enforce, by starting a real cell.
         * @description Checks again what this machine can enforce, by starting a real cell.
         *
         *     Requires the role operator.
         */
        post: operations["lookAgain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/contests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the contests that were started over the API, newest first; at most 200.
         * @description Lists the contests that were started over the API, newest first; at most 200.
         *
         *     Requires the role viewer.
         */
        get: operations["listContests"];
        put?: never;
        /**
         * Runs the contest of a directory, or continues it. It keeps running if the server ends.
         * @description Runs the contest of a directory, or continues it. It keeps running if the server ends.
         *
         *     Requires the role operator.
         */
        post: operations["startContest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/contests/{contest}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns one contest and its progress.
         * @description Returns one contest and its progress.
         *
         *     Requires the role viewer.
         */
        get: operations["getContest"];
        put?: never;
        post?: never;
        /**
         * Forgets a contest that has ended. Its directory is left unchanged.
         * @description Forgets a contest that has ended. Its directory is left unchanged.
         *
         *     Requires the role operator.
         */
        delete: operations["forgetContest"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/contests/{contest}/apply": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Applies a participant's changes to the project that the contest was made from, all or some.
         * @description Applies a participant's changes to the project that the contest was made from, all or some.
         *
         *     Requires the role operator.
         */
        post: operations["applyContestWork"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/contests/{contest}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ends the cells of a contest, then the contest. Sealed work is kept, and the contest can be continued later.
         * @description Ends the cells of a contest, then the contest. Sealed work is kept, and the contest can be continued later.
         *
         *     Requires the role operator.
         */
        post: operations["cancelContest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/contests/{contest}/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns what a participant changed in the project that the contest was made from: files, diffs, protected paths, secrets found.
         * @description Returns what a participant changed in the project that the contest was made from: files, diffs, protected paths, secrets found.
         *
         *     Requires the role operator.
         */
        get: operations["reviewContestWork"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/contests/{contest}/report": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the report of a contest that has ended, as `paddock contest report --json` prints it.
         * @description Returns the report of a contest that has ended, as `paddock contest report --json` prints it.
         *
         *     Requires the role viewer.
         */
        get: operations["getContestReport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/contests/{contest}/report.html": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the report of a contest that has ended, with its submissions, as one self-contained page.
         * @description Returns the report of a contest that has ended, with its submissions, as one self-contained page.
         *
         *     Requires the role viewer.
         */
        get: operations["getContestReportPage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/contests/{contest}/undo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Undoes the last apply of this contest in the project.
         * @description Undoes the last apply of this contest in the project.
         *
         *     Requires the role operator.
         */
        post: operations["undoContestApply"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/contests/directories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists directories with a contest that may be started: those that `fleet.contests` of config.yaml lists, and their direct subdirectories.
         * @description Lists directories with a contest that may be started: those that `fleet.contests` of config.yaml lists, and their direct subdirectories.
         *
         *     Requires the role operator.
         */
        get: operations["listContestDirectories"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/contests/plan": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns what starting the contest of a directory would do now: who would run, in how many cells, at what cost. Starts nothing.
         * @description Returns what starting the contest of a directory would do now: who would run, in how many cells, at what cost. Starts nothing.
         *
         *     Requires the role operator.
         */
        get: operations["planContest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/credentials": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the logins and keys of agents on this machine: source, expiry and problems, never a secret.
         * @description Lists the logins and keys of agents on this machine: source, expiry and problems, never a secret.
         *
         *     Requires the role operator.
         */
        get: operations["listCredentials"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/discord": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the bot of the fleet at Discord, its channels, and what was posted, without its token.
         * @description Returns the bot of the fleet at Discord, its channels, and what was posted, without its token.
         *
         *     Requires the role owner.
         */
        get: operations["getDiscord"];
        /**
         * Signs in to Discord with the token of a bot, which replaces the previous one. No answer contains the token.
         * @description Signs in to Discord with the token of a bot, which replaces the previous one. No answer contains the token.
         *
         *     Requires the role owner.
         */
        put: operations["connectDiscord"];
        post?: never;
        /**
         * Signs out and forgets the token. Channels are kept, and waiting posts are not sent.
         * @description Signs out and forgets the token. Channels are kept, and waiting posts are not sent.
         *
         *     Requires the role owner.
         */
        delete: operations["disconnectDiscord"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/discord/channels/{channel}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Lets only these users give an agent work in a channel. An agent has one channel.
         * @description Lets only these users give an agent work in a channel. An agent has one channel.
         *
         *     Requires the role owner.
         */
        put: operations["setDiscordChannel"];
        post?: never;
        /**
         * Stops taking work from this channel and posting to it. Jobs continue.
         * @description Stops taking work from this channel and posting to it. Jobs continue.
         *
         *     Requires the role owner.
         */
        delete: operations["removeDiscordChannel"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follows the events of the fleet as server-sent events.
         * @description Follows the events of the fleet as server-sent events.
         *
         *     Requires the role viewer.
         */
        get: operations["followEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/fleet": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns what every agent is doing now, oldest first; at most 1,000 agents.
         * @description Returns what every agent is doing now, oldest first; at most 1,000 agents.
         *
         *     Requires the role viewer.
         */
        get: operations["getFleet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/guarantees": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns which guarantees held on this machine when they were last tried.
         * @description Returns which guarantees held on this machine when they were last tried.
         *
         *     Requires the role viewer.
         */
        get: operations["getGuarantees"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/guarantees/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Tries to break every guarantee in real cells, which takes a minute. The result is at /api/v1/guarantees.
         * @description Tries to break every guarantee in real cells, which takes a minute. The result is at /api/v1/guarantees.
         *
         *     Requires the role operator.
         */
        post: operations["verifyGuarantees"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/hooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists hooks by name, without their secrets; there are at most 200.
         * @description Lists hooks by name, without their secrets; there are at most 200.
         *
         *     Requires the role viewer.
         */
        get: operations["listHooks"];
        put?: never;
        /**
         * Creates an address at which another program gives an agent jobs. Its secret is shown once.
         * @description Creates an address at which another program gives an agent jobs. Its secret is shown once.
         *
         *     Requires the role operator.
         */
        post: operations["createHook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/hooks/{hook}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Deletes a hook. Its jobs are kept.
         * @description Deletes a hook. Its jobs are kept.
         *
         *     Requires the role operator.
         */
        delete: operations["deleteHook"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/hooks/{hook}/deliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Gives the agent of a hook a job. The body, any text up to 64 KiB, reaches it as quoted data. A repeated delivery returns the same job. While the fleet is paused, the answer is 503 with `Retry-After`.
         * @description Gives the agent of a hook a job. The body, any text up to 64 KiB, reaches it as quoted data. A repeated delivery returns the same job. While the fleet is paused, the answer is 503 with `Retry-After`.
         *
         *     Requires no credential.
         */
        post: operations["deliverToHook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/inbox": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists everything that waits for a human: questions of cells, logins, budgets, agents that cannot start.
         * @description Lists everything that waits for a human: questions of cells, logins, budgets, agents that cannot start.
         *
         *     Requires the role viewer.
         */
        get: operations["getInbox"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/inbox/{id}/answer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Answers a question of an agent, or allows or denies a tool call. The first answer counts.
         * @description Answers a question of an agent, or allows or denies a tool call. The first answer counts.
         *
         *     Requires the role operator.
         */
        post: operations["answerQuestion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists jobs, newest first; for a borrower those of the lease.
         * @description Lists jobs, newest first; for a borrower those of the lease.
         *
         *     Requires the role viewer or borrower.
         */
        get: operations["listJobs"];
        put?: never;
        /**
         * Gives a job to an agent, or to any free one with given labels.
         * @description Gives a job to an agent, or to any free one with given labels.
         *
         *     Requires the role operator or borrower.
         */
        post: operations["giveJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/jobs/{job}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns one job, with its whole prompt.
         * @description Returns one job, with its whole prompt.
         *
         *     Requires the role viewer or borrower.
         */
        get: operations["getJob"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Replaces the prompt of a job or message that has not started. To withdraw one, cancel it.
         * @description Replaces the prompt of a job or message that has not started. To withdraw one, cancel it.
         *
         *     Requires the role operator.
         */
        patch: operations["changeJob"];
        trace?: never;
    };
    "/api/v1/jobs/{job}/apply": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Applies the changes of a job to the project, all or some. If it worked on a branch, merges the branch.
         * @description Applies the changes of a job to the project, all or some. If it worked on a branch, merges the branch.
         *
         *     Requires the role operator.
         */
        post: operations["applyJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/jobs/{job}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ends a job. A running job has ended once its cell is gone.
         * @description Ends a job. A running job has ended once its cell is gone.
         *
         *     Requires the role operator or borrower.
         */
        post: operations["cancelJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/jobs/{job}/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns what a job changed in its copy of the project: files, diffs, protected paths, secrets found.
         * @description Returns what a job changed in its copy of the project: files, diffs, protected paths, secrets found.
         *
         *     Requires the role viewer.
         */
        get: operations["reviewJob"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/jobs/{job}/changes/whole": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns what a job changed in one file, with all lines of the file around it.
         * @description Returns what a job changed in one file, with all lines of the file around it.
         *
         *     Requires the role operator.
         */
        get: operations["reviewWholeFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/jobs/{job}/continue": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Queues a job that continues the conversation of one that has ended.
         * @description Queues a job that continues the conversation of one that has ended.
         *
         *     Requires the role operator.
         */
        post: operations["continueJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/jobs/{job}/discard": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deletes the copy of a job, or its work tree and branch, with all changes in it.
         * @description Deletes the copy of a job, or its work tree and branch, with all changes in it.
         *
         *     Requires the role operator.
         */
        post: operations["discardJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/jobs/{job}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follows the transcript of a job until it ends, as server-sent events.
         * @description Follows the transcript of a job until it ends, as server-sent events.
         *
         *     Requires the role viewer or borrower.
         */
        get: operations["followJob"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/jobs/{job}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Queues a job that continues the conversation of another one, after that job and earlier messages to it have ended.
         * @description Queues a job that continues the conversation of another one, after that job and earlier messages to it have ended.
         *
         *     Requires the role operator or borrower.
         */
        post: operations["sendMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/jobs/{job}/send-now": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ends the job that a message waits for, so that messages to it start now, in their order.
         * @description Ends the job that a message waits for, so that messages to it start now, in their order.
         *
         *     Requires the role operator.
         */
        post: operations["sendNow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/lease": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns what the borrower who asks may use, and what is left of it.
         * @description Returns what the borrower who asks may use, and what is left of it.
         *
         *     Requires the role borrower.
         */
        get: operations["getOwnLease"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/leases": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists active leases, newest first, then ended ones; at most 200.
         * @description Lists active leases, newest first, then ended ones; at most 200.
         *
         *     Requires the role owner.
         */
        get: operations["listLeases"];
        put?: never;
        /**
         * Lends an agent. Only this answer contains the borrower's token.
         * @description Lends an agent. Only this answer contains the borrower's token.
         *
         *     Requires the role owner.
         */
        post: operations["createLease"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/leases/{lease}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns one lease, and what is left of it.
         * @description Returns one lease, and what is left of it.
         *
         *     Requires the role owner.
         */
        get: operations["getLease"];
        put?: never;
        post?: never;
        /**
         * Ends a lease: its token, its open connections, its jobs and their cells.
         * @description Ends a lease: its token, its open connections, its jobs and their cells.
         *
         *     Requires the role owner.
         */
        delete: operations["revokeLease"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/login-links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Creates a code that starts one browser session.
         * @description Creates a code that starts one browser session.
         *
         *     Only over the Unix socket of the server.
         */
        post: operations["createLoginLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/manifests/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Returns whether an agent could be created from a manifest, and its policy in plain language. Creates nothing.
         * @description Returns whether an agent could be created from a manifest, and its policy in plain language. Creates nothing.
         *
         *     Requires the role operator.
         */
        post: operations["checkManifest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ends the pause of a restored fleet. Nothing that was due in the pause is made up for.
         * @description Ends the pause of a restored fleet. Nothing that was due in the pause is made up for.
         *
         *     Requires the role owner.
         */
        post: operations["resumeFleet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/schedules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists schedules by name; there are at most 200.
         * @description Lists schedules by name; there are at most 200.
         *
         *     Requires the role viewer.
         */
        get: operations["listSchedules"];
        put?: never;
        /**
         * Gives an agent jobs at the times of a cron pattern.
         * @description Gives an agent jobs at the times of a cron pattern.
         *
         *     Requires the role operator.
         */
        post: operations["createSchedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/schedules/{schedule}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns one schedule, and its next five times.
         * @description Returns one schedule, and its next five times.
         *
         *     Requires the role viewer.
         */
        get: operations["getSchedule"];
        /**
         * Replaces a schedule.
         * @description Replaces a schedule.
         *
         *     Requires the role operator.
         */
        put: operations["editSchedule"];
        post?: never;
        /**
         * Deletes a schedule. Its jobs are kept.
         * @description Deletes a schedule. Its jobs are kept.
         *
         *     Requires the role operator.
         */
        delete: operations["deleteSchedule"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/schedules/{schedule}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * No more jobs until it is resumed; times until then have none.
         * @description No more jobs until it is resumed; times until then have none.
         *
         *     Requires the role operator.
         */
        post: operations["pauseSchedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/schedules/{schedule}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Continues with its next time.
         * @description Continues with its next time.
         *
         *     Requires the role operator.
         */
        post: operations["resumeSchedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/schedules/{schedule}/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Gives its job now, regardless of its times and its last job.
         * @description Gives its job now, regardless of its times and its last job.
         *
         *     Requires the role operator.
         */
        post: operations["runSchedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/server": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the server's version, where it runs, and what only its configuration changes.
         * @description Returns the server's version, where it runs, and what only its configuration changes.
         *
         *     Requires the role viewer.
         */
        get: operations["getServer"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the caller as the server identifies it.
         * @description Returns the caller as the server identifies it.
         *
         *     Requires the role viewer or borrower.
         */
        get: operations["getSession"];
        put?: never;
        /**
         * Starts a session with the code of a login link, or with a token.
         * @description Starts a session with the code of a login link, or with a token.
         *
         *     Requires no credential.
         */
        post: operations["startSession"];
        /**
         * Ends this session and its open connections.
         * @description Ends this session and its open connections.
         *
         *     Requires the role viewer or borrower.
         */
        delete: operations["endSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists open terminals, oldest first; for a borrower those of the lease.
         * @description Lists open terminals, oldest first; for a borrower those of the lease.
         *
         *     Requires the role viewer or borrower.
         */
        get: operations["listTerminals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sessions/{session}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns one terminal.
         * @description Returns one terminal.
         *
         *     Requires the role viewer or borrower.
         */
        get: operations["getTerminal"];
        put?: never;
        post?: never;
        /**
         * Ends a terminal. It is gone once its cell has ended.
         * @description Ends a terminal. It is gone once its cell has ended.
         *
         *     Requires the role operator or borrower.
         */
        delete: operations["endTerminal"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/suites": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the directories with a suite: those that `fleet.contests` of config.yaml lists, and their direct subdirectories.
         * @description Lists the directories with a suite: those that `fleet.contests` of config.yaml lists, and their direct subdirectories.
         *
         *     Requires the role operator.
         */
        get: operations["listSuites"];
        put?: never;
        /**
         * Runs all unfinished contests of a suite, and reports. It keeps running if the server ends.
         * @description Runs all unfinished contests of a suite, and reports. It keeps running if the server ends.
         *
         *     Requires the role operator.
         */
        post: operations["startSuite"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/suites/archive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Writes an archive of each contest to report/archives in the suite, unless it exists. It keeps running if the server ends.
         * @description Writes an archive of each contest to report/archives in the suite, unless it exists. It keeps running if the server ends.
         *
         *     Requires the role operator.
         */
        post: operations["archiveSuite"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/suites/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ends the cells of a suite, then the command that works on it. Finished work is kept, and the same command continues later.
         * @description Ends the cells of a suite, then the command that works on it. Finished work is kept, and the same command continues later.
         *
         *     Requires the role operator.
         */
        post: operations["cancelSuite"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/suites/clean": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Removes work directories of a suite that are sealed, and other copies. Seals and results are kept.
         * @description Removes work directories of a suite that are sealed, and other copies. Seals and results are kept.
         *
         *     Requires the role operator.
         */
        post: operations["cleanSuite"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/suites/compare": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Compares a suite with an earlier run. Judges see both works blind in one new task. It keeps running if the server ends.
         * @description Compares a suite with an earlier run. Judges see both works blind in one new task. It keeps running if the server ends.
         *
         *     Requires the role operator.
         */
        post: operations["compareSuite"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/suites/comparison": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns a comparison of a suite, as `paddock suite compare --json` prints it.
         * @description Returns a comparison of a suite, as `paddock suite compare --json` prints it.
         *
         *     Requires the role operator.
         */
        get: operations["getSuiteComparison"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/suites/comparison.html": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns a comparison of a suite as one self-contained page.
         * @description Returns a comparison of a suite as one self-contained page.
         *
         *     Requires the role operator.
         */
        get: operations["getSuiteComparisonPage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/suites/comparisons": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the comparisons of a suite with earlier runs, the newest first.
         * @description Lists the comparisons of a suite with earlier runs, the newest first.
         *
         *     Requires the role operator.
         */
        get: operations["listSuiteComparisons"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/suites/contest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the progress of one contest of a suite.
         * @description Returns the progress of one contest of a suite.
         *
         *     Requires the role operator.
         */
        get: operations["getSuiteContest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/suites/contest/report.html": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the report of one contest of a suite that no process works on, as one self-contained page.
         * @description Returns the report of one contest of a suite that no process works on, as one self-contained page.
         *
         *     Requires the role operator.
         */
        get: operations["getSuiteContestReportPage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/suites/detection": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns how many briefs it takes to find a difference between participants, and which difference the suite finds as it is.
         * @description Returns how many briefs it takes to find a difference between participants, and which difference the suite finds as it is.
         *
         *     Requires the role operator.
         */
        get: operations["planSuiteDetection"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/suites/leftovers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns what cleaning a suite would remove: work directories that are sealed, and other copies.
         * @description Returns what cleaning a suite would remove: work directories that are sealed, and other copies.
         *
         *     Requires the role operator.
         */
        get: operations["listSuiteLeftovers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/suites/plan": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns what running the suite would do now: how many contests, participants and judges, at what cost. Starts nothing.
         * @description Returns what running the suite would do now: how many contests, participants and judges, at what cost. Starts nothing.
         *
         *     Requires the role operator.
         */
        get: operations["planSuite"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/suites/refine": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Starts a new round of each contest of a suite from its submissions, and reports. It keeps running if the server ends.
         * @description Starts a new round of each contest of a suite from its submissions, and reports. It keeps running if the server ends.
         *
         *     Requires the role operator.
         */
        post: operations["refineSuite"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/suites/rejudge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Has all judges judge each contest of a suite again, under new labels, and reports. It keeps running if the server ends.
         * @description Has all judges judge each contest of a suite again, under new labels, and reports. It keeps running if the server ends.
         *
         *     Requires the role operator.
         */
        post: operations["rejudgeSuite"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/suites/report": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Writes the report of a suite's results so far, and returns it as `paddock suite report --json` prints it.
         * @description Writes the report of a suite's results so far, and returns it as `paddock suite report --json` prints it.
         *
         *     Requires the role operator.
         */
        get: operations["getSuiteReport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/suites/report.html": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the report of a suite's results so far, as one self-contained page.
         * @description Returns the report of a suite's results so far, as one self-contained page.
         *
         *     Requires the role operator.
         */
        get: operations["getSuiteReportPage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/suites/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the progress of each contest of a suite, without scores.
         * @description Returns the progress of each contest of a suite, without scores.
         *
         *     Requires the role operator.
         */
        get: operations["getSuiteStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/suites/work": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the newest command on a suite that was started over the API.
         * @description Returns the newest command on a suite that was started over the API.
         *
         *     Requires the role operator.
         */
        get: operations["getSuiteWork"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tickets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Creates a ticket for one WebSocket connection.
         * @description Creates a ticket for one WebSocket connection.
         *
         *     Requires the role viewer or borrower.
         */
        post: operations["createTicket"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists tokens, without their secrets.
         * @description Lists tokens, without their secrets.
         *
         *     Requires the role owner.
         */
        get: operations["listTokens"];
        put?: never;
        /**
         * Creates a token. Only this answer contains its secret.
         * @description Creates a token. Only this answer contains its secret.
         *
         *     Requires the role owner.
         */
        post: operations["createToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tokens/{token}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revokes a token by name or id, and ends its open connections.
         * @description Revokes a token by name or id, and ends its open connections.
         *
         *     Requires the role owner.
         */
        post: operations["revokeToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns what jobs that ended in a range of days (UTC) used, including deleted agents and jobs.
         * @description Returns what jobs that ended in a range of days (UTC) used, including deleted agents and jobs.
         *
         *     Requires the role viewer.
         */
        get: operations["getUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/usage/days": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns what the 4 agents, kinds or models with the highest cost used on each day (UTC), and all others together.
         * @description Returns what the 4 agents, kinds or models with the highest cost used on each day (UTC), and all others together.
         *
         *     Requires the role viewer.
         */
        get: operations["getUsageDays"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/vault": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists names and hosts of the secrets in the vault; 423 while it is locked.
         * @description Lists names and hosts of the secrets in the vault; 423 while it is locked.
         *
         *     Requires the role owner.
         */
        get: operations["listVault"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/vault/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Stores a secret in the vault, which must be unlocked.
         * @description Stores a secret in the vault, which must be unlocked.
         *
         *     Requires the role owner.
         */
        put: operations["setSecret"];
        post?: never;
        /**
         * Removes a secret from the vault, which must be unlocked.
         * @description Removes a secret from the vault, which must be unlocked.
         *
         *     Requires the role owner.
         */
        delete: operations["deleteSecret"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/vault/lock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Locks the vault at once.
         * @description Locks the vault at once.
         *
         *     Requires the role owner.
         */
        post: operations["lockVault"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/vault/unlock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Unlocks the vault for a limited time.
         * @description Unlocks the vault for a limited time.
         *
         *     Requires the role owner.
         */
        post: operations["unlockVault"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists webhooks by name, without their secrets; there are at most 50.
         * @description Lists webhooks by name, without their secrets; there are at most 50.
         *
         *     Requires the role viewer.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Sends events to a URL from now on, signed like deliveries to hooks. The secret is shown once.
         * @description Sends events to a URL from now on, signed like deliveries to hooks. The secret is shown once.
         *
         *     Requires the role owner.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{webhook}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns one webhook, and the outcomes of its events.
         * @description Returns one webhook, and the outcomes of its events.
         *
         *     Requires the role viewer.
         */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /**
         * Deletes a webhook with its outcomes.
         * @description Deletes a webhook with its outcomes.
         *
         *     Requires the role owner.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{webhook}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sends no more events until it is resumed; those until then are not sent.
         * @description Sends no more events until it is resumed; those until then are not sent.
         *
         *     Requires the role owner.
         */
        post: operations["pauseWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{webhook}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sends events again, from now on.
         * @description Sends events again, from now on.
         *
         *     Requires the role owner.
         */
        post: operations["resumeWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{webhook}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sends a webhook.test event now and returns the outcome. If it is accepted, waiting events are tried again at once.
         * @description Sends a webhook.test event now and returns the outcome. If it is accepted, waiting events are tried again at once.
         *
         *     Requires the role owner.
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns that the server is running.
         * @description Returns that the server is running.
         *
         *     Requires no credential.
         */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns metrics in the Prometheus format.
         * @description Returns metrics in the Prometheus format.
         *
         *     Requires the role viewer.
         */
        get: operations["getMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns whether the server can take work.
         * @description Returns whether the server can take work.
         *
         *     Requires no credential.
         */
        get: operations["getReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Agent: {
            archivedAt: string | null;
            createdAt: string;
            id: string;
            /** @description False if an owner has to approve its manifest before it works. */
            isApproved: boolean;
            /** @description Viewers see … instead of the values of variables, headers, arguments and URLs. */
            manifest: {
                /**
                 * @description claude, codex, gemini, opencode, grok, command, or acp; not for kind model.
                 * @default model
                 */
                agent: string;
                /** @description How long its questions and held tool calls wait for an answer before they are refused; 1h by default. */
                answerWithin?: string;
                /** @description Where the key of its endpoint is: vault:NAME or azure-kv://…. Paddock sends the key; the cell never contains it. */
                apiKey?: string;
                /** @description Further arguments for the agent's program. */
                args?: string[];
                /**
                 * @description The backend that builds the cell.
                 * @enum {string}
                 */
                backend?: "auto" | "bubblewrap" | "seatbelt" | "none";
                /**
                 * Format: uri
                 * @description A model endpoint to use instead of the vendor's.
                 */
                baseUrl?: string;
                /** @description What it may use. A job ends when its budget is used up, and its queue waits for the next day or month. */
                budgets?: {
                    /** @description For all its jobs of a day (UTC). */
                    day?: {
                        /** @description Running time of its cells. */
                        time?: string;
                        /** @description Tokens that its models read and wrote, including cached ones. */
                        tokens?: number;
                        /** @description Steps of the agent: answers of its model, as text or tool calls. */
                        turns?: number;
                        /** @description US dollars: the cost that the agent reports, or else the price of its tokens in `fleet.prices`. */
                        usd?: number;
                    };
                    /** @description For each job. */
                    job?: {
                        /** @description Running time of its cells. */
                        time?: string;
                        /** @description Tokens that its models read and wrote, including cached ones. */
                        tokens?: number;
                        /** @description Steps of the agent: answers of its model, as text or tool calls. */
                        turns?: number;
                        /** @description US dollars: the cost that the agent reports, or else the price of its tokens in `fleet.prices`. */
                        usd?: number;
                    };
                    /** @description For all its jobs of a month (UTC). */
                    month?: {
                        /** @description Running time of its cells. */
                        time?: string;
                        /** @description Tokens that its models read and wrote, including cached ones. */
                        tokens?: number;
                        /** @description Steps of the agent: answers of its model, as text or tool calls. */
                        turns?: number;
                        /** @description US dollars: the cost that the agent reports, or else the price of its tokens in `fleet.prices`. */
                        usd?: number;
                    };
                };
                /** @description For the agent `command`: the program and its arguments. It gets the prompt on standard input. */
                command?: string[];
                /** @description How the cell gets its credential: placeholder (default), endpoint, snapshot (a read-only copy), volume or volume:NAME (the login in a volume of `paddock login`, for one cell at a time), none. */
                credentials?: ("placeholder" | "endpoint" | "snapshot" | "volume" | "none") | string;
                /** @description Agents that it may give jobs to. They work under their own policies, and it gets their answers. */
                delegates?: string[];
                /** @description What the cell may reach. */
                egress?: {
                    /** @description Hosts that the cell may reach: HOST[:PORT], with `*.` in front for subdomains. HOST:PORT=ADDRESS:PORT pins the address. */
                    allow?: string[];
                    /** @description Hosts whose connections wait for your answer: HOST[:PORT], or `*` for every other name. */
                    ask?: string[];
                    /** @description With `public`: further addresses and ranges to reject. */
                    block?: string[];
                    /** @description Hosts that the cell may reach and whose requests are checked: HOST[:PORT], pinned as in allow. */
                    inspect?: string[];
                    /**
                     * @description `allowlist` (default): only the hosts named here and those that the agent itself needs. `off`: no network. `public`: the internet without internal addresses. `open`: everything except loopback.
                     * @enum {string}
                     */
                    policy?: "off" | "allowlist" | "public" | "open";
                    /** @description Named groups of hosts: github, npm, pypi, apt, cargo, go, gem, maven, gradle, nuget, or an agent. */
                    presets?: string[];
                    /** @description Rules for requests: ACTION METHODS HOST/PATH. */
                    rules?: string[];
                    /** @description Predefined rules: git-push, publish, release, delete. Append `=ask` to ask instead of denying. */
                    ruleSets?: string[];
                };
                /** @description Variables, as NAME=VALUE. */
                env?: string[];
                /** @description Kind model: endpoints to try in this order if the previous one does not answer, is overloaded or limits its rate. */
                fallbacks?: {
                    /** @description Where the key of its endpoint is: vault:NAME or azure-kv://…. Paddock sends the key; the cell never contains it. */
                    apiKey?: string;
                    /**
                     * Format: uri
                     * @description The endpoint to use instead of the provider's.
                     */
                    baseUrl?: string;
                    /** @description Whether its endpoint needs no key. */
                    keyless?: boolean;
                    model: string;
                    /** @enum {string} */
                    provider: "anthropic" | "openai" | "openai-compatible";
                }[];
                /** @description How long its host process stays without work; 10m by default. New work starts it again. */
                idle?: string;
                /** @description Kind model: instructions before each prompt. */
                instructions?: string;
                /** @description Whether its endpoint needs no key. */
                keyless?: boolean;
                /**
                 * @description `cli` (default): an agent CLI, or a command. `model`: a model with tools that run in its cell.
                 * @enum {string}
                 */
                kind?: "cli" | "model";
                /** @description Jobs can ask for any free agent with these labels. */
                labels?: string[];
                /** @description Limits of the cell. If one that is set here cannot be enforced, the cell does not start. */
                limits?: {
                    /** @description Processors that the whole cell may use, for example 1.5. */
                    cpus?: number;
                    /**
                     * size
                     * @description How much the directories that the cell may write to may grow.
                     */
                    disk?: string;
                    /**
                     * size
                     * @description Largest single file.
                     */
                    fileSize?: string;
                    /**
                     * size
                     * @description Memory of the whole cell.
                     */
                    memory?: string;
                    /** @description Processes and threads of the whole cell. */
                    pids?: number;
                    /**
                     * duration
                     * @description Longest time without output before the cell is stopped.
                     */
                    silence?: string;
                    /**
                     * duration
                     * @description Wall time after which the cell is stopped.
                     */
                    timeout?: string;
                };
                /** @description Kind model: MCP servers by name. */
                mcp?: {
                    [key: string]: {
                        /** @description Program and arguments; it runs in the cell. */
                        command: string[];
                        /** @description Further variables. */
                        env?: {
                            [key: string]: string;
                        };
                    } | {
                        /** @description `$NAME` in a value stands for a variable of the cell, such as the placeholder of a secret. */
                        headers?: {
                            [key: string]: string;
                        };
                        /**
                         * Format: uri
                         * @description A Streamable HTTP endpoint, reached from the cell under its egress policy.
                         */
                        url: string;
                    };
                };
                /** @description What it remembers between jobs; by default, nothing. */
                memory?: {
                    /**
                     * name
                     * @description The agent whose memory it inherits when it is created.
                     */
                    inherit?: string;
                    /** @description How many of its newest jobs are listed in /memory.md of its cells, with their results. */
                    last: number;
                };
                /** @description The model, as the agent names it. */
                model?: string;
                /**
                 * name
                 * @description The name of the agent.
                 */
                name: string;
                /** @description For humans. */
                notes?: string;
                /** @description Jobs at the same time; 1 by default. Each has a separate home and workspace. */
                parallel?: number;
                /**
                 * @description The isolation level of the cell.
                 * @enum {string}
                 */
                posture?: "L0" | "L1" | "L2" | "L3" | "L4" | "L5";
                /**
                 * @description Kind model: the provider that serves the model.
                 * @enum {string}
                 */
                provider?: "anthropic" | "openai" | "openai-compatible";
                /** @description How much disk its homes and workspaces may use together. A job that exceeds it ends. Without it, each job has its own limit. */
                quota?: string;
                /** @description Repositories that git uses with your own token: HOST/OWNER/NAME. Append `=write` to allow pushing too. */
                repos?: string[];
                /**
                 * @description How to handle a job whose host process was lost: `none` (default) leaves it interrupted, `continue` continues it, `again` restarts it.
                 * @enum {string}
                 */
                restart?: "none" | "continue" | "again";
                /**
                 * @description The version of this format.
                 * @constant
                 */
                schemaVersion?: 1;
                /** @description Secrets that the cell gets placeholders for: NAME=vault:NAME or NAME=azure-kv://…, followed by @HOST. */
                secrets?: string[];
                /** @description The only tools it has. A CLI can have delegate and ask. Kind model: bash, file_read, file_write, file_edit, http, delegate, ask, and SERVER/TOOL or SERVER/* of an MCP server. Put `ask ` in front to hold each call until somebody allows it. */
                tools?: string[];
                /** @description Which topics incoming texts may have: case-insensitive JavaScript regular expressions for jobs and messages. */
                topics?: {
                    /** @description Each incoming text must match one of these. */
                    allow?: string[];
                    /** @description No incoming text may match one of these; this takes precedence over `allow`. */
                    deny?: string[];
                };
                /** @description False: the agent gets none of its own web tools, such as web search. */
                webTools?: boolean;
                /** @description Where its jobs work. `own` (default): a directory of the agent that is kept between jobs. */
                workspace?: "own" | {
                    /** @description A project on this machine. Each job gets a copy. */
                    copy: string;
                } | {
                    /** @description A git repository on this machine. Each job works in a work tree of its own, on its own branch. */
                    worktree: string;
                } | {
                    /** @description A project on this machine. One job at a time works in it. */
                    project: string;
                };
            };
            name: string;
            /** @description Why it cannot work; null if it can. */
            problem: string | null;
            /** @description Its own jobs that are waiting to start. */
            queued: number;
            /** @description Parts of its manifest that this machine cannot enforce. */
            refusals: {
                code: string;
                hint?: string;
                message: string;
            }[];
            /** @description Jobs that are running or waiting. */
            running: number;
            /**
             * @description Its current state, according to its jobs.
             * @enum {string}
             */
            state: "working" | "idle" | "stopped" | "archived" | "failing";
            updatedAt: string;
            /** @description The version of the newest manifest. Increases with each edit; also the ETag. */
            version: number;
            /** @description The newest manifest, if it waits for the approval of an owner. */
            waiting: {
                /** @description What nobody has agreed to, such as `credentials: claude snapshot`. Viewers see only the keys. */
                asks: string[];
                at: string;
                /** @description Who saved it. */
                by: string;
                /** @description As `manifest`. */
                manifest: {
                    /**
                     * @description claude, codex, gemini, opencode, grok, command, or acp; not for kind model.
                     * @default model
                     */
                    agent: string;
                    /** @description How long its questions and held tool calls wait for an answer before they are refused; 1h by default. */
                    answerWithin?: string;
                    /** @description Where the key of its endpoint is: vault:NAME or azure-kv://…. Paddock sends the key; the cell never contains it. */
                    apiKey?: string;
                    /** @description Further arguments for the agent's program. */
                    args?: string[];
                    /**
                     * @description The backend that builds the cell.
                     * @enum {string}
                     */
                    backend?: "auto" | "bubblewrap" | "seatbelt" | "none";
                    /**
                     * Format: uri
                     * @description A model endpoint to use instead of the vendor's.
                     */
                    baseUrl?: string;
                    /** @description What it may use. A job ends when its budget is used up, and its queue waits for the next day or month. */
                    budgets?: {
                        /** @description For all its jobs of a day (UTC). */
                        day?: {
                            /** @description Running time of its cells. */
                            time?: string;
                            /** @description Tokens that its models read and wrote, including cached ones. */
                            tokens?: number;
                            /** @description Steps of the agent: answers of its model, as text or tool calls. */
                            turns?: number;
                            /** @description US dollars: the cost that the agent reports, or else the price of its tokens in `fleet.prices`. */
                            usd?: number;
                        };
                        /** @description For each job. */
                        job?: {
                            /** @description Running time of its cells. */
                            time?: string;
                            /** @description Tokens that its models read and wrote, including cached ones. */
                            tokens?: number;
                            /** @description Steps of the agent: answers of its model, as text or tool calls. */
                            turns?: number;
                            /** @description US dollars: the cost that the agent reports, or else the price of its tokens in `fleet.prices`. */
                            usd?: number;
                        };
                        /** @description For all its jobs of a month (UTC). */
                        month?: {
                            /** @description Running time of its cells. */
                            time?: string;
                            /** @description Tokens that its models read and wrote, including cached ones. */
                            tokens?: number;
                            /** @description Steps of the agent: answers of its model, as text or tool calls. */
                            turns?: number;
                            /** @description US dollars: the cost that the agent reports, or else the price of its tokens in `fleet.prices`. */
                            usd?: number;
                        };
                    };
                    /** @description For the agent `command`: the program and its arguments. It gets the prompt on standard input. */
                    command?: string[];
                    /** @description How the cell gets its credential: placeholder (default), endpoint, snapshot (a read-only copy), volume or volume:NAME (the login in a volume of `paddock login`, for one cell at a time), none. */
                    credentials?: ("placeholder" | "endpoint" | "snapshot" | "volume" | "none") | string;
                    /** @description Agents that it may give jobs to. They work under their own policies, and it gets their answers. */
                    delegates?: string[];
                    /** @description What the cell may reach. */
                    egress?: {
                        /** @description Hosts that the cell may reach: HOST[:PORT], with `*.` in front for subdomains. HOST:PORT=ADDRESS:PORT pins the address. */
                        allow?: string[];
                        /** @description Hosts whose connections wait for your answer: HOST[:PORT], or `*` for every other name. */
                        ask?: string[];
                        /** @description With `public`: further addresses and ranges to reject. */
                        block?: string[];
                        /** @description Hosts that the cell may reach and whose requests are checked: HOST[:PORT], pinned as in allow. */
                        inspect?: string[];
                        /**
                         * @description `allowlist` (default): only the hosts named here and those that the agent itself needs. `off`: no network. `public`: the internet without internal addresses. `open`: everything except loopback.
                         * @enum {string}
                         */
                        policy?: "off" | "allowlist" | "public" | "open";
                        /** @description Named groups of hosts: github, npm, pypi, apt, cargo, go, gem, maven, gradle, nuget, or an agent. */
                        presets?: string[];
                        /** @description Rules for requests: ACTION METHODS HOST/PATH. */
                        rules?: string[];
                        /** @description Predefined rules: git-push, publish, release, delete. Append `=ask` to ask instead of denying. */
                        ruleSets?: string[];
                    };
                    /** @description Variables, as NAME=VALUE. */
                    env?: string[];
                    /** @description Kind model: endpoints to try in this order if the previous one does not answer, is overloaded or limits its rate. */
                    fallbacks?: {
                        /** @description Where the key of its endpoint is: vault:NAME or azure-kv://…. Paddock sends the key; the cell never contains it. */
                        apiKey?: string;
                        /**
                         * Format: uri
                         * @description The endpoint to use instead of the provider's.
                         */
                        baseUrl?: string;
                        /** @description Whether its endpoint needs no key. */
                        keyless?: boolean;
                        model: string;
                        /** @enum {string} */
                        provider: "anthropic" | "openai" | "openai-compatible";
                    }[];
                    /** @description How long its host process stays without work; 10m by default. New work starts it again. */
                    idle?: string;
                    /** @description Kind model: instructions before each prompt. */
                    instructions?: string;
                    /** @description Whether its endpoint needs no key. */
                    keyless?: boolean;
                    /**
                     * @description `cli` (default): an agent CLI, or a command. `model`: a model with tools that run in its cell.
                     * @enum {string}
                     */
                    kind?: "cli" | "model";
                    /** @description Jobs can ask for any free agent with these labels. */
                    labels?: string[];
                    /** @description Limits of the cell. If one that is set here cannot be enforced, the cell does not start. */
                    limits?: {
                        /** @description Processors that the whole cell may use, for example 1.5. */
                        cpus?: number;
                        /**
                         * size
                         * @description How much the directories that the cell may write to may grow.
                         */
                        disk?: string;
                        /**
                         * size
                         * @description Largest single file.
                         */
                        fileSize?: string;
                        /**
                         * size
                         * @description Memory of the whole cell.
                         */
                        memory?: string;
                        /** @description Processes and threads of the whole cell. */
                        pids?: number;
                        /**
                         * duration
                         * @description Longest time without output before the cell is stopped.
                         */
                        silence?: string;
                        /**
                         * duration
                         * @description Wall time after which the cell is stopped.
                         */
                        timeout?: string;
                    };
                    /** @description Kind model: MCP servers by name. */
                    mcp?: {
                        [key: string]: {
                            /** @description Program and arguments; it runs in the cell. */
                            command: string[];
                            /** @description Further variables. */
                            env?: {
                                [key: string]: string;
                            };
                        } | {
                            /** @description `$NAME` in a value stands for a variable of the cell, such as the placeholder of a secret. */
                            headers?: {
                                [key: string]: string;
                            };
                            /**
                             * Format: uri
                             * @description A Streamable HTTP endpoint, reached from the cell under its egress policy.
                             */
                            url: string;
                        };
                    };
                    /** @description What it remembers between jobs; by default, nothing. */
                    memory?: {
                        /**
                         * name
                         * @description The agent whose memory it inherits when it is created.
                         */
                        inherit?: string;
                        /** @description How many of its newest jobs are listed in /memory.md of its cells, with their results. */
                        last: number;
                    };
                    /** @description The model, as the agent names it. */
                    model?: string;
                    /**
                     * name
                     * @description The name of the agent.
                     */
                    name: string;
                    /** @description For humans. */
                    notes?: string;
                    /** @description Jobs at the same time; 1 by default. Each has a separate home and workspace. */
                    parallel?: number;
                    /**
                     * @description The isolation level of the cell.
                     * @enum {string}
                     */
                    posture?: "L0" | "L1" | "L2" | "L3" | "L4" | "L5";
                    /**
                     * @description Kind model: the provider that serves the model.
                     * @enum {string}
                     */
                    provider?: "anthropic" | "openai" | "openai-compatible";
                    /** @description How much disk its homes and workspaces may use together. A job that exceeds it ends. Without it, each job has its own limit. */
                    quota?: string;
                    /** @description Repositories that git uses with your own token: HOST/OWNER/NAME. Append `=write` to allow pushing too. */
                    repos?: string[];
                    /**
                     * @description How to handle a job whose host process was lost: `none` (default) leaves it interrupted, `continue` continues it, `again` restarts it.
                     * @enum {string}
                     */
                    restart?: "none" | "continue" | "again";
                    /**
                     * @description The version of this format.
                     * @constant
                     */
                    schemaVersion?: 1;
                    /** @description Secrets that the cell gets placeholders for: NAME=vault:NAME or NAME=azure-kv://…, followed by @HOST. */
                    secrets?: string[];
                    /** @description The only tools it has. A CLI can have delegate and ask. Kind model: bash, file_read, file_write, file_edit, http, delegate, ask, and SERVER/TOOL or SERVER/* of an MCP server. Put `ask ` in front to hold each call until somebody allows it. */
                    tools?: string[];
                    /** @description Which topics incoming texts may have: case-insensitive JavaScript regular expressions for jobs and messages. */
                    topics?: {
                        /** @description Each incoming text must match one of these. */
                        allow?: string[];
                        /** @description No incoming text may match one of these; this takes precedence over `allow`. */
                        deny?: string[];
                    };
                    /** @description False: the agent gets none of its own web tools, such as web search. */
                    webTools?: boolean;
                    /** @description Where its jobs work. `own` (default): a directory of the agent that is kept between jobs. */
                    workspace?: "own" | {
                        /** @description A project on this machine. Each job gets a copy. */
                        copy: string;
                    } | {
                        /** @description A git repository on this machine. Each job works in a work tree of its own, on its own branch. */
                        worktree: string;
                    } | {
                        /** @description A project on this machine. One job at a time works in it. */
                        project: string;
                    };
                };
            } | null;
            /** @enum {string} */
            wanted: "started" | "stopped";
        };
        Applied: {
            /** @description Whether git committed it; null if no commit was requested. */
            committed: boolean | null;
            deleted: string[];
            id: string;
            ignored: number;
            /** @description Whether the copy still exists. */
            kept: boolean;
            /** @description Number of changes that were not chosen. */
            left: number;
            leftOut: number;
            project: string;
            /** @description Changes that the project already had. */
            same: string[];
            /** @constant */
            schemaVersion: 1;
            written: string[];
        };
        ApprovalAnswered: {
            allowed: boolean;
            question: {
                /** Format: date-time */
                askedAt: string;
                asker: {
                    pid: number;
                    started: string;
                };
                cell: string;
                cellName: string;
                /** Format: date-time */
                expiresAt: string;
                host: string;
                id: string;
                port: number;
                /** @description Null if the question is about a whole connection. */
                request: {
                    method: string;
                    path: string;
                    querySha256?: string;
                    queryShown?: string;
                } | null;
                /** @constant */
                schemaVersion: 1;
                /** @description Where the rule that asks is from; `user`: the manifest, or the options of the run. */
                source: string;
            };
            /** @constant */
            schemaVersion: 1;
            /** @enum {string} */
            scope: "once" | "cell" | "always";
        };
        Approvals: {
            open: {
                /** @description The agent of the fleet that the cell belongs to; null if there is none. */
                agent: string | null;
                /** Format: date-time */
                askedAt: string;
                cell: string;
                cellName: string;
                /** Format: date-time */
                expiresAt: string;
                host: string;
                id: string;
                job: string | null;
                port: number;
                /** @description Null if the question is about a whole connection. */
                request: {
                    method: string;
                    path: string;
                    querySha256?: string;
                    queryShown?: string;
                } | null;
                /** @description Where the rule that asks is from; `user`: the manifest, or the options of the run. */
                source: string;
            }[];
            /** @description Answers that were given for always. */
            remembered: {
                allowed: boolean;
                /** Format: date-time */
                at: string;
                host: string;
                id: string;
                port: number;
                request: {
                    method: string;
                    path: string;
                    querySha256?: string;
                } | null;
            }[];
        };
        Contest: {
            directory: string;
            id: string;
            /** @description Why it ended without a report; null if it did not. */
            problem: string | null;
            requestedBy: string;
            startedAt: string;
            /** @enum {string} */
            state: "running" | "done" | "failed" | "cancelled";
        };
        ContestApplied: {
            changes: {
                baseMoved: boolean;
                kind: string;
                path: string;
                runsLater: string | null;
            }[];
            commit: string | null;
            committed: boolean | null;
            copy: string | null;
            deleted: string[];
            ignored: number;
            left: number;
            leftOut: number;
            participant: string;
            project: string;
            round: number;
            same: string[];
            /** @constant */
            schemaVersion: 1;
            /** @enum {string} */
            to: "files" | "branch" | "patch" | "look";
            tree: string;
            written: string[];
        };
        ContestPlan: {
            cells: {
                checks: number;
                judges: number;
                participants: number;
            };
            contest: string;
            costUnknown: string[];
            costUsd: number;
            judges: {
                agent: string;
                cells: number;
                costUsd: number | null;
                login: string | null;
                model: string | null;
                name: string;
                /** @enum {string} */
                posture: "L0" | "L1" | "L2" | "L3" | "L4" | "L5";
                program: string;
                reaches: string | null;
            }[];
            parallel: number;
            participants: {
                agent: string;
                cells: number;
                costUsd: number | null;
                login: string | null;
                model: string | null;
                name: string;
                /** @enum {string} */
                posture: "L0" | "L1" | "L2" | "L3" | "L4" | "L5";
                program: string;
                reaches: string | null;
            }[];
            round: number;
            /** @constant */
            schemaVersion: 1;
        };
        ContestStanding: {
            /** @description Whether a process is working on it. */
            atWork: boolean;
            complete?: {
                judging: number;
                tasks: {
                    attempt: number;
                    costUsd: number | null;
                    durationMs: number | null;
                    earlierCostUsd?: number;
                    given?: {
                        [key: string]: string;
                    };
                    id: string;
                    judge: string;
                    outcome: {
                        exitCode: number | null;
                        hint: string | null;
                        isPartial?: boolean;
                        isUnanswered?: boolean;
                        /** @enum {string} */
                        kind: "ran" | "delivered" | "incomplete" | "over-limit" | "leaks-a-credential" | "scores-differ" | "rate-limited" | "login-needed" | "endpoint-failed" | "out-of-memory" | "out-of-time" | "silent" | "start-failed" | "out-of-disk" | "output-flood" | "out-of-budget" | "cancelled";
                        message: string | null;
                        resetsAt: number | null;
                    } | null;
                    /** @enum {string} */
                    posture?: "L0" | "L1" | "L2" | "L3" | "L4" | "L5";
                    /** @enum {string} */
                    state: "pending" | "running" | "scored" | "failed";
                    usage: {
                        cachedInput: number;
                        input: number;
                        model: string | null;
                        output: number;
                    } | null;
                    version?: string;
                }[];
            };
            contest: string;
            fingerprint: string;
            judges: {
                [key: string]: {
                    attempt: number;
                    costUsd: number | null;
                    durationMs: number | null;
                    earlierCostUsd?: number;
                    outcome: {
                        exitCode: number | null;
                        hint: string | null;
                        isPartial?: boolean;
                        isUnanswered?: boolean;
                        /** @enum {string} */
                        kind: "ran" | "delivered" | "incomplete" | "over-limit" | "leaks-a-credential" | "scores-differ" | "rate-limited" | "login-needed" | "endpoint-failed" | "out-of-memory" | "out-of-time" | "silent" | "start-failed" | "out-of-disk" | "output-flood" | "out-of-budget" | "cancelled";
                        message: string | null;
                        resetsAt: number | null;
                    } | null;
                    /** @enum {string} */
                    posture?: "L0" | "L1" | "L2" | "L3" | "L4" | "L5";
                    /** @enum {string} */
                    state: "pending" | "running" | "scored" | "failed";
                    usage: {
                        cachedInput: number;
                        input: number;
                        model: string | null;
                        output: number;
                    } | null;
                    version?: string;
                };
            };
            judging: number;
            participants: {
                [key: string]: {
                    attempt: number;
                    costUsd: number | null;
                    durationMs: number | null;
                    earlierCostUsd?: number;
                    given?: {
                        [key: string]: string;
                    };
                    outcome: {
                        exitCode: number | null;
                        hint: string | null;
                        isPartial?: boolean;
                        isUnanswered?: boolean;
                        /** @enum {string} */
                        kind: "ran" | "delivered" | "incomplete" | "over-limit" | "leaks-a-credential" | "scores-differ" | "rate-limited" | "login-needed" | "endpoint-failed" | "out-of-memory" | "out-of-time" | "silent" | "start-failed" | "out-of-disk" | "output-flood" | "out-of-budget" | "cancelled";
                        message: string | null;
                        resetsAt: number | null;
                    } | null;
                    /** @enum {string} */
                    posture?: "L0" | "L1" | "L2" | "L3" | "L4" | "L5";
                    /** @enum {string} */
                    state: "pending" | "running" | "ended" | "sealed" | "checked";
                    usage: {
                        cachedInput: number;
                        input: number;
                        model: string | null;
                        output: number;
                    } | null;
                    version?: string;
                };
            };
            /** @enum {string} */
            posture?: "L0" | "L1" | "L2" | "L3" | "L4" | "L5";
            round: number;
            /** @constant */
            schemaVersion: 2;
            tasks: {
                attempt: number;
                costUsd: number | null;
                durationMs: number | null;
                earlierCostUsd?: number;
                given?: {
                    [key: string]: string;
                };
                id: string;
                judge: string;
                outcome: {
                    exitCode: number | null;
                    hint: string | null;
                    isPartial?: boolean;
                    isUnanswered?: boolean;
                    /** @enum {string} */
                    kind: "ran" | "delivered" | "incomplete" | "over-limit" | "leaks-a-credential" | "scores-differ" | "rate-limited" | "login-needed" | "endpoint-failed" | "out-of-memory" | "out-of-time" | "silent" | "start-failed" | "out-of-disk" | "output-flood" | "out-of-budget" | "cancelled";
                    message: string | null;
                    resetsAt: number | null;
                } | null;
                /** @enum {string} */
                posture?: "L0" | "L1" | "L2" | "L3" | "L4" | "L5";
                /** @enum {string} */
                state: "pending" | "running" | "scored" | "failed";
                usage: {
                    cachedInput: number;
                    input: number;
                    model: string | null;
                    output: number;
                } | null;
                version?: string;
            }[];
            updatedAt: string;
        };
        ContestSummary: {
            agreement: {
                ac: {
                    linear: number | null;
                    quadratic: number | null;
                    unweighted: number | null;
                } | null;
                alpha: {
                    interval: number;
                    nominal: number;
                    ordinal: number;
                } | null;
                concordance: {
                    chiSquare: number;
                    degrees: number;
                    w: number;
                    wTied: number;
                } | null;
                dimension: string;
                kappa: {
                    linear: number | null;
                    quadratic: number | null;
                    unweighted: number | null;
                } | null;
                n: number;
                rankCorrelation: number | null;
                tooFew: boolean;
            }[];
            boards: {
                front: string[];
                /** @enum {string} */
                id: "all-judges" | "without-kin" | "with-style" | "delivered" | "strength";
                rows: {
                    interval: {
                        max: number;
                        min: number;
                    } | null;
                    name: string;
                    rank: number | null;
                    ranks: {
                        from: number;
                        to: number;
                    } | null;
                    score: number | null;
                }[];
                style: {
                    interval: {
                        max: number;
                        min: number;
                    } | null;
                    /** @enum {string} */
                    trait: "lines" | "files" | "words";
                    worth: number;
                }[];
            }[];
            contest: string;
            description: string | null;
            dimensions: {
                description: string;
                id: string;
                weight: number;
            }[];
            generatedAt: string;
            judges: {
                agent: string;
                attempts: number;
                card: {
                    caught: ("position" | "order" | "own-family" | "spread" | "planted" | "empty")[];
                    citations: {
                        found: number;
                        given: number;
                    } | null;
                    controls: {
                        obeys: boolean | null;
                        planted: number | null;
                        praisesEmpty: boolean | null;
                        repeat: number | null;
                        trials: number;
                    } | null;
                    guesses: {
                        texts: number;
                        words: string[];
                    } | null;
                    intervals: {
                        orderEffect: {
                            max: number;
                            min: number;
                        } | null;
                        ownFamily: {
                            max: number;
                            min: number;
                        } | null;
                        severity: {
                            max: number;
                            min: number;
                        } | null;
                        spreadBeyondOthers: {
                            max: number;
                            min: number;
                        } | null;
                    };
                    orderEffect: number | null;
                    ownFamily: number | null;
                    position: {
                        bias: number;
                        consistency: number;
                        p: number;
                        pairs: number;
                    } | null;
                    severity: number | null;
                    spread: number | null;
                    spreadBeyondOthers: number | null;
                } | null;
                comment: string | null;
                costUsd: number | null;
                denied: {
                    count: number;
                    host: string;
                }[];
                durationMs: number | null;
                hint: string | null;
                labels: {
                    [key: string]: string;
                } | null;
                model: string | null;
                name: string;
                /** @enum {string} */
                posture?: "L0" | "L1" | "L2" | "L3" | "L4" | "L5";
                review: string | null;
                /** @enum {string} */
                state: "pending" | "running" | "scored" | "failed";
                tokens: {
                    cachedInput: number;
                    input: number;
                    model: string | null;
                    output: number;
                } | null;
                version: string | null;
                why: string | null;
            }[];
            judging: number;
            notes: string[];
            notRanked: {
                agent: string;
                attempts: number;
                costUsd: number | null;
                denied: {
                    count: number;
                    host: string;
                }[];
                dropped: {
                    path: string;
                    why: string;
                }[];
                durationMs: number | null;
                failedToRun: boolean;
                model: string | null;
                name: string;
                outcome: {
                    exitCode: number | null;
                    hint: string | null;
                    isPartial?: boolean;
                    isUnanswered?: boolean;
                    /** @enum {string} */
                    kind: "ran" | "delivered" | "incomplete" | "over-limit" | "leaks-a-credential" | "scores-differ" | "rate-limited" | "login-needed" | "endpoint-failed" | "out-of-memory" | "out-of-time" | "silent" | "start-failed" | "out-of-disk" | "output-flood" | "out-of-budget" | "cancelled";
                    message: string | null;
                    resetsAt: number | null;
                } | null;
                /** @enum {string} */
                posture?: "L0" | "L1" | "L2" | "L3" | "L4" | "L5";
                tokens: {
                    cachedInput: number;
                    input: number;
                    model: string | null;
                    output: number;
                } | null;
                version: string | null;
            }[];
            orders: {
                judge: string;
                seen: {
                    label: string;
                    participant: string;
                }[];
                task: string;
            }[];
            pairs: {
                better: string | null;
                first: string;
                judge: string;
                labels: {
                    [key: string]: string;
                };
                second: string;
                why: string | null;
            }[];
            /** @enum {string} */
            rankedBy: "judges" | "checks" | "checks-then-judges" | "nothing";
            ranking: {
                agent: string;
                attempts: number;
                bytes: number;
                checks: {
                    counted: number;
                    passed: number;
                    results: {
                        durationMs: number;
                        exitCode: number | null;
                        isFlaky?: boolean;
                        name: string;
                        output: string;
                        /** @enum {string} */
                        result: "passed" | "failed" | "could-not-run";
                        reward?: number;
                        weight: number;
                        why: string | null;
                    }[];
                    share: number | null;
                };
                costUsd: number | null;
                denied: {
                    count: number;
                    host: string;
                }[];
                dropped: {
                    path: string;
                    why: string;
                }[];
                droppedCount: number;
                durationMs: number | null;
                files: number;
                identity: {
                    found: {
                        line: number | null;
                        path: string;
                        what: string;
                    }[];
                    isHidden: boolean;
                    more: number;
                } | null;
                interval: {
                    max: number;
                    min: number;
                } | null;
                judgements: {
                    citations: {
                        dimension: string;
                        file: string;
                        isFound: boolean;
                        lines: [
                            number,
                            number
                        ];
                    }[];
                    dimensions: {
                        [key: string]: number;
                    };
                    judge: string;
                    label: string;
                    review: string | null;
                    score: number;
                }[];
                model: string | null;
                name: string;
                orders: {
                    found: {
                        line: number;
                        path: string;
                        text: string;
                    }[];
                    /** @constant */
                    isCut?: true;
                    isHidden: boolean;
                    more: number;
                } | null;
                outcome: {
                    exitCode: number | null;
                    hint: string | null;
                    isPartial?: boolean;
                    isUnanswered?: boolean;
                    /** @enum {string} */
                    kind: "ran" | "delivered" | "incomplete" | "over-limit" | "leaks-a-credential" | "scores-differ" | "rate-limited" | "login-needed" | "endpoint-failed" | "out-of-memory" | "out-of-time" | "silent" | "start-failed" | "out-of-disk" | "output-flood" | "out-of-budget" | "cancelled";
                    message: string | null;
                    resetsAt: number | null;
                };
                /** @enum {string} */
                posture?: "L0" | "L1" | "L2" | "L3" | "L4" | "L5";
                rank: number | null;
                score: number | null;
                secrets: {
                    findings: {
                        column: number | null;
                        endColumn?: number;
                        endLine?: number;
                        line: number | null;
                        masked: string;
                        path: string;
                        rule: string;
                        what: string;
                    }[];
                    more: number;
                    notLooked: {
                        path: string;
                        why: string;
                    }[];
                    notLookedCount: number;
                } | null;
                spread: {
                    max: number;
                    min: number;
                } | null;
                strength: {
                    behind: number | null;
                    estimate: number;
                    interval: {
                        high: number;
                        low: number;
                    } | null;
                    ranks: {
                        from: number;
                        to: number;
                    } | null;
                    /** @enum {string} */
                    unit: "points" | "log odds";
                } | null;
                text: {
                    lines: number;
                    words: number;
                } | null;
                tokens: {
                    cachedInput: number;
                    input: number;
                    model: string | null;
                    output: number;
                } | null;
                tree: string;
                version: string | null;
            }[];
            /** @default null */
            redaction: {
                judges: string[];
                judging: number;
                points: {
                    after: number;
                    before: number;
                    name: string;
                }[];
            } | null;
            round: number;
            scale: {
                max: number;
                min: number;
            } | null;
            /** @constant */
            schemaVersion: 1;
            unfinishedJudging: number | null;
            /** @default [] */
            variants: {
                base: string;
                costRatio: number | null;
                difference: number | null;
                finds: number | null;
                interval: {
                    high: number;
                    low: number;
                } | null;
                isDifferent: boolean;
                name: string;
                of: string;
                sentence: string;
                sets: string[];
                /** @enum {string} */
                unit: "points" | "log odds";
            }[];
            verdict: {
                apart: {
                    briefs: number;
                    name: string;
                    /** @enum {string} */
                    why: "few-briefs" | "infrastructure";
                }[];
                byChecks: boolean;
                cheapest: string | null;
                clusters: {
                    /** @enum {string} */
                    by: "briefs" | "judges";
                    count: number;
                };
                front: string[];
                leader: string | null;
                sentence: string;
                toSettle: {
                    from: number;
                    to: number | null;
                } | null;
            } | null;
            /** @default null */
            you: {
                agreement: {
                    agreed: number;
                    judge: string;
                    kappa: number | null;
                    n: number;
                    tooFew: boolean;
                }[];
                answered: number;
                compared: number;
                consistent: number;
                of: number;
                pairs: {
                    better: string | null;
                    first: string;
                    judge: string;
                    labels: {
                        [key: string]: string;
                    };
                    second: string;
                    why: string | null;
                }[];
            } | null;
        };
        Discord: {
            bot: {
                createdAt: string;
                id: string;
                name: string;
            } | null;
            channels: {
                /** @description The name of the agent. */
                agent: string;
                agentId: string;
                channel: string;
                createdAt: string;
                posts: {
                    givenUp: number;
                    posted: number;
                    /** @description Why the newest failed attempt failed; null if none did. */
                    problem: string | null;
                    waiting: number;
                };
                /** @description The ids of the users who may give it work. */
                users: string[];
            }[];
            /** @description Why it is not ready, and how to fix it. */
            problem: string | null;
            /** @description Messages to the bot that were ignored: in another channel, from another user, from a bot or webhook, or system messages. */
            refused: {
                channel: number;
                program: number;
                system: number;
                user: number;
            };
            /**
             * @description broken: not tried again until a bot is connected.
             * @enum {string}
             */
            state: "off" | "connecting" | "ready" | "broken";
            /** @description Messages that were accepted since the server started. */
            taken: number;
        };
        DiscordChannel: {
            /** @description The name of the agent. */
            agent: string;
            agentId: string;
            channel: string;
            createdAt: string;
            /** @description The ids of the users who may give it work. */
            users: string[];
        };
        Doing: {
            /** @description Its CLI, `command`, or `model`. */
            agent: string;
            /** @description What they may cost. */
            budgetUsd: number | null;
            id: string;
            /** @description Whether it would take a job now. Of several agents with the labels of a job, the first in this list takes it. */
            isFree: boolean;
            labels: string[];
            /** @description The job that it started last. */
            last: {
                endedAt: string | null;
                id: string;
                promptStart: string;
                /** @enum {string} */
                state: "queued" | "running" | "waiting" | "done" | "failed" | "cancelled" | "interrupted";
            } | null;
            model: string | null;
            name: string;
            /** @description The newest thing that its running job said or did. */
            now: {
                at: string;
                text: string;
            } | null;
            /** @description Why it does not work; null if it could. */
            problem: string | null;
            queued: number;
            /** @description The states of its last jobs by start time, oldest first; at most 12. */
            recent: ("queued" | "running" | "waiting" | "done" | "failed" | "cancelled" | "interrupted")[];
            running: number;
            /** @description What its jobs of today (UTC) cost. */
            spentUsd: number;
            /**
             * @description waiting: it needs a human · failing: it cannot start, or its last three jobs failed · limited: its vendor accepts no more work, or a budget is used up · starting: it has a job, but its cell is not running yet.
             * @enum {string}
             */
            state: "waiting" | "failing" | "limited" | "working" | "starting" | "idle" | "stopped";
        };
        Episode: {
            /** @description The first 2,000 characters. */
            answer: string;
            at: string;
            job: string;
            /** @description The agent that it was inherited from; null if it is its own. */
            origin: string | null;
            /** @description The first 500 characters. */
            prompt: string;
            /** @enum {string} */
            state: "done" | "failed" | "cancelled";
        };
        FleetEvent: {
            /** @description The id of the agent. */
            agent: string | null;
            /** @description A time in ISO 8601. */
            at: string;
            /** @description Facts of the kind, such as the name of the agent or the state of the job. */
            data: {
                [key: string]: unknown;
            };
            id: number;
            job: string | null;
            /** @enum {string} */
            kind: "fleet.paused" | "fleet.resumed" | "agent.created" | "agent.edited" | "agent.approved" | "agent.refused" | "agent.started" | "agent.stopped" | "agent.archived" | "agent.deleted" | "job.queued" | "job.changed" | "job.started" | "job.running" | "job.waiting" | "job.budget" | "job.cancelling" | "job.ended" | "job.removed" | "schedule.created" | "schedule.edited" | "schedule.paused" | "schedule.resumed" | "schedule.due" | "schedule.skipped" | "schedule.deleted" | "hook.created" | "hook.deleted" | "webhook.created" | "webhook.paused" | "webhook.resumed" | "webhook.deleted" | "discord.connected" | "discord.disconnected" | "discord.added" | "discord.removed" | "lease.created" | "lease.revoked" | "lease.ended" | "topic.refused" | "session.opened" | "session.ended" | "token.created" | "token.revoked";
        };
        Guarantees: {
            problem: string | null;
            /** @description The result of the last probe that finished since the server started. */
            result: {
                backend: string;
                /** @enum {string} */
                egress: "off" | "allowlist" | "public" | "open";
                guarantees: {
                    chapter: string;
                    claim: string;
                    durationMs: number;
                    /** @description What was tried, and the result. */
                    evidence: string;
                    /** @description How it can still fail. */
                    fails: string[];
                    id: string;
                    /**
                     * @description structural: the target of the attack does not exist · policy: a rule denies access.
                     * @enum {string}
                     */
                    kind: "structural" | "policy";
                    mechanism: string;
                    /** @enum {string} */
                    status: "held" | "broken" | "unenforceable";
                    /** @description Why the mechanism is enough for the claim. */
                    why: string;
                }[];
                posture: string;
                /** @constant */
                schemaVersion: 1;
            } | null;
            startedAt: string | null;
            /** @enum {string} */
            state: "never" | "running" | "done" | "failed";
        };
        Hook: {
            /** @description The name of the agent. */
            agent: string;
            agentId: string;
            createdAt: string;
            id: string;
            lastJob: string | null;
            name: string;
            /** @description Where deliveries go, on this server. */
            path: string;
            /** @description Why the last delivery created no job; null if it did. */
            problem: string | null;
            prompt: string;
        };
        Inbox: {
            items: {
                /** @description The name of the agent; null for a cell of another command. */
                agent: string | null;
                /** @description When the question was asked, as far as this server knows; null if it is not a question. */
                askedAt: string | null;
                /** @description When the question expires. */
                expiresAt: string | null;
                hint: string | null;
                /** @description The id of the question (ask, tool, egress), otherwise of the agent. */
                id: string;
                job: string | null;
                /**
                 * @description ask: an agent's question · tool: a held tool call · egress: a cell asks to reach something · login: an agent has no login · key: the endpoint of a model refused its key · budget: a budget is used up · agent: it cannot start · approval: its manifest waits for an owner.
                 * @enum {string}
                 */
                kind: "ask" | "tool" | "egress" | "login" | "key" | "budget" | "agent" | "approval";
                /** @description Only the subject: host and port, method and address, the question, the tool and its input. */
                subject: string | null;
                /** @description One sentence. A cell may have chosen its wording. */
                text: string;
            }[];
        };
        Job: {
            /** @description The name of the agent; null if any free one with the labels takes it. */
            agent: string | null;
            agentId: string | null;
            attempt: number;
            cancelAsked: boolean;
            /** @description The job whose conversation it continues, or that it follows because that conversation was lost. */
            continues: string | null;
            conversation: string | null;
            createdAt: string;
            endedAt: string | null;
            id: string;
            /** @description Whether it is a message to the job that it continues. It starts when that one has ended. */
            isMessage: boolean;
            labels: string[];
            /** @description The id of the lease that it belongs to. */
            lease: string | null;
            number: number;
            /** @description The job that delegated it. */
            parent: string | null;
            problem: string | null;
            /** @description The first 200 characters of the prompt. */
            promptStart: string;
            requestedBy: string;
            result: {
                /** @default 0 */
                cellMs: number;
                changes: {
                    created: string[];
                    /** @default [] */
                    deleted: string[];
                    /** @default [] */
                    git: {
                        branchAfter: string | null;
                        branchBefore: string | null;
                        /** @description At most 1,001. Null: the commits could not be read. */
                        commitCount: number | null;
                        /** @description Commits that no ref had before, newest first; at most 100. */
                        commits: {
                            hash: string;
                            /** @description Protected paths that it changes. */
                            protected: string[];
                            subject: string;
                        }[];
                        headAfter: string | null;
                        headBefore: string | null;
                        inProgress: ("rebase" | "am" | "merge" | "cherry-pick" | "revert" | "bisect") | null;
                        /** @description Number of stashes that were added. */
                        stashes: number;
                        /** @description The path of the work tree; . is the project. */
                        workTree: string;
                    }[];
                    modified: string[];
                    /** @default [] */
                    renamed: {
                        from: string;
                        to: string;
                    }[];
                    runsLater: {
                        path: string;
                        why: string;
                    }[];
                    truncated: boolean;
                } | null;
                conversation: string | null;
                copy: string | null;
                costUsd: number | null;
                endedAt: string;
                /** @description The number of files in `changes`, also those that a list leaves out. */
                files: number;
                /** @description True in a list that has only the first 1,000 characters of `text`, or the first 20 entries of `changes` and `notes`. */
                isShort: boolean;
                notes: string[];
                outcome: {
                    exitCode: number | null;
                    hint: string | null;
                    /** @enum {string} */
                    kind: "ran" | "rate-limited" | "login-needed" | "endpoint-failed" | "out-of-memory" | "out-of-time" | "silent" | "start-failed" | "out-of-disk" | "output-flood" | "out-of-budget" | "cancelled";
                    message: string | null;
                    /** @description Milliseconds since the epoch. */
                    resetsAt: number | null;
                };
                startedAt: string;
                /** @enum {string} */
                state: "done" | "failed" | "cancelled";
                text: string;
                /** @description The number of changed files in its copy that were neither applied nor discarded, or of commits on its branch that were not merged, as far as the server knows. */
                toApply: number;
                toolCalls: number;
                /** @default 0 */
                turns: number;
                usage: {
                    cachedInput: number;
                    input: number;
                    model: string | null;
                    output: number;
                } | null;
                /** @default null */
                worktree: components["schemas"]["JobWorktree"] | null;
            } | null;
            startedAt: string | null;
            /** @enum {string} */
            state: "queued" | "running" | "waiting" | "done" | "failed" | "cancelled" | "interrupted";
        };
        JobWorktree: {
            directory: string;
            /** @description The name of the work tree and of its branch. */
            name: string;
            project: string;
            /** @description Files that were in no commit when the job ended. */
            uncommitted: number | null;
            /** @description Commits that no other branch had when the job ended. Null: it could not be compared. */
            unmerged: number | null;
        };
        Lease: {
            /** @description The name of the agent. */
            agent: string;
            agentId: string;
            /** @description What all its jobs together may use; null if it has no budget. */
            budget: {
                /** @description Running time of its cells. */
                time?: string;
                /** @description Tokens that its models read and wrote, including cached ones. */
                tokens?: number;
                /** @description Steps of the agent: answers of its model, as text or tool calls. */
                turns?: number;
                /** @description US dollars: the cost that the agent reports, or else the price of its tokens in `fleet.prices`. */
                usd?: number;
            } | null;
            createdAt: string;
            /** @description When its jobs were ended. */
            endedAt: string | null;
            expiresAt: string;
            /** @description Whether some texts are refused because of their topic. */
            hasTopics: boolean;
            id: string;
            /** @description What is left of its budget, for each unit in it; time in milliseconds. Running jobs count when they end. */
            left: {
                [key: string]: number;
            };
            name: string;
            revokedAt: string | null;
            /** @description What its ended jobs used; time in milliseconds. */
            readonly spent: {
                time: number;
                tokens: number;
                turns: number;
                usd: number;
            };
            /** @enum {string} */
            state: "open" | "expired" | "revoked";
            /**
             * @description Whether the borrower may open a terminal and type, bypassing topics and budget.
             * @enum {string}
             */
            terminal: "read" | "type";
            /** @description The tools that a model may use; null: all that it has. */
            tools: string[] | null;
            topics: {
                /** @description Each incoming text must match one of these. */
                allow?: string[];
                /** @description No incoming text may match one of these; this takes precedence over `allow`. */
                deny?: string[];
            } | null;
        };
        Look: {
            readonly entries: {
                /** @enum {string} */
                kind: "file" | "directory" | "link" | "other";
                modifiedAt: string | null;
                name: string;
                size: number | null;
            }[];
            /** @constant */
            kind: "directory";
            truncated: boolean;
        } | {
            /** @constant */
            kind: "file";
            size: number;
            /** @description Null if it is not text. */
            text: string | null;
        };
        Merged: {
            /** @description The new commit of that branch. */
            commit: string | null;
            /** @description Number of merged commits. */
            commits: number;
            directory: string;
            /** @description Paths of the project that changed. */
            files: string[];
            /** @description The branch of the project; null if the branch was only kept. */
            into: string | null;
            /** @description Whether the work tree still exists. */
            kept: boolean;
            /** @description The name of the work tree and of its branch. */
            name: string;
            project: string;
            /** @constant */
            schemaVersion: 1;
            /** @description Files of the work tree that are in no commit, and so were not merged. */
            uncommitted: string[];
        };
        OwnLease: {
            /** @description The name of the agent. */
            agent: string;
            /** @description What all its jobs together may use; null if it has no budget. */
            budget: {
                /** @description Running time of its cells. */
                time?: string;
                /** @description Tokens that its models read and wrote, including cached ones. */
                tokens?: number;
                /** @description Steps of the agent: answers of its model, as text or tool calls. */
                turns?: number;
                /** @description US dollars: the cost that the agent reports, or else the price of its tokens in `fleet.prices`. */
                usd?: number;
            } | null;
            createdAt: string;
            expiresAt: string;
            /** @description Whether some texts are refused because of their topic. */
            hasTopics: boolean;
            id: string;
            /** @description What is left of its budget, for each unit in it; time in milliseconds. Running jobs count when they end. */
            left: {
                [key: string]: number;
            };
            name: string;
            /**
             * @description Whether the borrower may open a terminal and type, bypassing topics and budget.
             * @enum {string}
             */
            terminal: "read" | "type";
            /** @description The tools that a model may use; null: all that it has. */
            tools: string[] | null;
        };
        /** @description Sentences that complete "It may", "It must ask" and "It may not", and the rating of its cells. */
        Policy: {
            readonly may: {
                text: string;
                /** @description How it is enforced, or by which key of the manifest. */
                why: string;
            }[];
            readonly mayNot: {
                text: string;
                /** @description How it is enforced, or by which key of the manifest. */
                why: string;
            }[];
            readonly mustAsk: {
                text: string;
                /** @description How it is enforced, or by which key of the manifest. */
                why: string;
            }[];
            /** @description The parts of the lethal trifecta, each with its evidence. Long lists and texts are cut. */
            readonly trifecta: {
                /** @description True if the cell has private data, text of others and a way out together. */
                all: boolean;
                /** @description What the cell can read of the user. */
                readonly privateData: string[];
                /** @description Where the agent reads text that others wrote. */
                readonly untrusted: string[];
                /** @description Where the cell can send data. */
                readonly wayOut: string[];
            };
        };
        Problem: {
            /** @description Stable, for programs to compare. */
            code: string;
            /** @description One sentence for a person. */
            detail?: string;
            /** @description How to fix it. */
            hint?: string;
            /** @description What is wrong with the input, and where. */
            issues?: {
                message: string;
                place: string;
            }[];
            status: number;
            /** @description The name of the HTTP status. */
            title: string;
            /** @description A URN that ends with the code. */
            type: string;
        };
        RemovedWorktree: {
            /** @description The commit of the deleted branch; null if no branch was deleted. */
            commit: string | null;
            directory: string;
            /** @description The name of the work tree and of its branch. */
            name: string;
            project: string;
            /** @constant */
            schemaVersion: 1;
        };
        Review: {
            changes: {
                /** @description Number of lines. */
                added: number | null;
                /** @description Whether the project changed there since the copy was made. */
                baseMoved: boolean;
                content: ("text" | "binary" | "too-large" | "link" | "moved" | "unreadable" | "none") | null;
                /** @description A unified diff. Absent with --stat, and for files that are not text. */
                diff?: string;
                /** @enum {string} */
                kind: "added" | "modified" | "deleted" | "mode";
                /** @description The target of a symbolic link. */
                link: string | null;
                /** @description In octal; null if unchanged. */
                mode: {
                    from: string;
                    to: string;
                } | null;
                path: string;
                /** @description Number of lines. */
                removed: number | null;
                /** @description Why it would run on this machine later; null if it would not. */
                runsLater: string | null;
                /** @description Text that looks like a secret. */
                secrets: {
                    column: number | null;
                    endColumn?: number;
                    endLine?: number;
                    line: number | null;
                    masked: string;
                    path: string;
                    rule: string;
                    what: string;
                }[];
            }[];
            created: string;
            /** @description The commit of the project when it was copied. */
            head: string | null;
            id: string;
            /** @description Number of new files that git ignores. */
            ignoredCount: number;
            /** @description Paths that were not compared. */
            leftOut: {
                path: string;
                why: string;
            }[];
            leftOutCount: number;
            notes: string[];
            /** @description Paths that were not searched for secrets. */
            notSearched: {
                path: string;
                why: string;
            }[];
            project: string;
            /** @constant */
            schemaVersion: 1;
            /** @description Paths that were not copied. */
            skipped: {
                path: string;
                why: string;
            }[];
            skippedCount: number;
            /** @description The directory of the copy. */
            tree: string;
        };
        Schedule: {
            /** @description The name of the agent. */
            agent: string;
            agentId: string;
            createdAt: string;
            cron: string;
            id: string;
            lastJob: string | null;
            /** @enum {string} */
            missed: "once" | "skip";
            name: string;
            /** @description The next five times; empty while it is paused. */
            next: string[];
            /** @enum {string} */
            overlap: "skip" | "queue";
            paused: boolean;
            /** @description Why the last time created no job; null if it did. */
            problem: string | null;
            /** @description The first 200 characters of the prompt. */
            promptStart: string;
            zone: string;
        };
        Server: {
            /** @description The URLs of the page for browsers. */
            addresses: string[];
            /** @description Settings that only config.yaml changes, from the next start of the server. */
            configuration: {
                /** @description For all agents together. */
                budgets: {
                    day: {
                        /** @description Running time of its cells. */
                        time?: string;
                        /** @description Tokens that its models read and wrote, including cached ones. */
                        tokens?: number;
                        /** @description Steps of the agent: answers of its model, as text or tool calls. */
                        turns?: number;
                        /** @description US dollars: the cost that the agent reports, or else the price of its tokens in `fleet.prices`. */
                        usd?: number;
                    } | null;
                    month: {
                        /** @description Running time of its cells. */
                        time?: string;
                        /** @description Tokens that its models read and wrote, including cached ones. */
                        tokens?: number;
                        /** @description Steps of the agent: answers of its model, as text or tool calls. */
                        turns?: number;
                        /** @description US dollars: the cost that the agent reports, or else the price of its tokens in `fleet.prices`. */
                        usd?: number;
                    } | null;
                };
                /** @description Null unless the caller is an operator or owner. */
                contests: string[] | null;
                /** @description The models that have a price; `*` is any other model. */
                prices: string[];
                /** @description Null unless the caller is an operator or owner. */
                projects: string[] | null;
                retention: {
                    /** @description Jobs that ended longer ago are deleted; null if none is deleted because of its age. */
                    ageMs: number | null;
                    /** @description Limit for the transcripts and logs of ended jobs; null if there is none. */
                    bytes: number | null;
                    /** @description How many of the newest events are kept. */
                    events: number;
                };
            };
            /** @description Its host name. */
            machine: string;
            /** @description The pause of a restored fleet: its schedules, webhooks, hooks and Discord do nothing. Null if there is none. */
            paused: {
                /** @description Whether queued jobs do not start either. */
                jobs: boolean;
                since: string;
            } | null;
            startedAt: string;
            version: string;
        };
        /** @description The last event. ended: nothing will follow · slow: the reader was too slow and may resume · credential: it is no longer valid · stopping: the server stops, and the reader may resume. */
        StreamEnd: {
            data: Record<string, never>;
            /** @enum {string} */
            event: "ended" | "slow" | "credential" | "stopping";
        };
        /** @description Nothing is lost. It is sent every 10 seconds. */
        StreamHeartbeat: {
            data: {
                /** @description The newest item. */
                last: number;
            };
            /** @constant */
            event: "heartbeat";
            /** @description The position to continue after. */
            id: number;
        };
        /** @description Items after the requested position are no longer stored, or it is in the future. Reload lists. */
        StreamReset: {
            data: {
                first: number;
                last: number;
            };
            /** @constant */
            event: "reset";
            /** @description The position to continue after. */
            id: number;
        };
        SuiteCleaned: {
            contests: {
                directory: string;
                result: {
                    bytes: number;
                    bytesAfter: number;
                    bytesBefore: number;
                    dryRun: boolean;
                    removed: {
                        bytes: number;
                        path: string;
                        what: string;
                    }[];
                    /** @constant */
                    schemaVersion: 1;
                } | null;
                /** @description The brief and the repeat: `parse-dates/2`. */
                run: string;
                /** @enum {string} */
                state: "done" | "skipped" | "failed";
                /** @description Why it was skipped or failed. */
                why: string | null;
            }[];
            /** @constant */
            schemaVersion: 1;
            suite: string;
        };
        SuiteComparison: {
            /** @description The directory of the suite, and `@N` for round N of its contests. */
            base: string;
            /** @description The worst difference first. */
            briefs: {
                base: {
                    attempts: number;
                    /** @description Points of 100. */
                    checks: number | null;
                    delivered: number;
                    /** @description How the attempts ended that delivered nothing. */
                    outcomes: string[];
                    /** @description Points of 100. Null: not judged. */
                    score: number | null;
                };
                brief: string;
                /** @description The contests in which judges saw both works, relative to the new suite. */
                contests: string[];
                /** @description By the measure that decides, new minus base, in points of 100. */
                difference: number | null;
                new: {
                    attempts: number;
                    /** @description Points of 100. */
                    checks: number | null;
                    delivered: number;
                    /** @description How the attempts ended that delivered nothing. */
                    outcomes: string[];
                    /** @description Points of 100. Null: not judged. */
                    score: number | null;
                };
                participant: string;
                reasons: {
                    base: string | null;
                    judge: string;
                    new: string | null;
                }[];
            }[];
            /**
             * @description The measure by which the new suite ranks, if both runs have it.
             * @enum {string}
             */
            decides: "score" | "checks" | "delivered";
            gates: {
                /** @description The smallest loss that this gate finds in 80 of 100 such comparisons. */
                finds: number | null;
                gate: string;
                /** @enum {string} */
                measure: "score" | "checks" | "delivered" | "cost" | "time" | "infrastructure";
                participant: string;
                /** @enum {string} */
                state: "passed" | "failed" | "untested";
                /** @description Why it was not tested; for infrastructure, why it failed. */
                why: string | null;
            }[];
            generatedAt: string;
            /** @description A gate failed or could not be tested. The exit code is then 1. */
            isFailed: boolean;
            judges: {
                answered: number;
                /** @description It failed a control. */
                failed: boolean;
                name: string;
            }[];
            leftOut: {
                brief: string;
                why: string;
            }[];
            new: string;
            notes: string[];
            participants: {
                base: {
                    agent: string;
                    attempts: number;
                    /** @description Attempts that failed for reasons other than the work, or that were not run. They are not compared. */
                    failed: number;
                    model: string | null;
                    name: string;
                    versions: string[];
                };
                /** @description False: over a fifth of the attempts of a run failed for reasons other than the work, or of the pairs were not judged. */
                isComparable: boolean;
                measures: {
                    /** @description The mean over briefs: points of 100, US dollars, or milliseconds. */
                    base: number;
                    /**
                     * @description side-by-side: judges saw both works blind in one new task; as-judged: scores of the old judgings, which never gate.
                     * @enum {string}
                     */
                    basis: "side-by-side" | "as-judged" | "as-measured";
                    /** @description The number of briefs with this measure in both runs. */
                    briefs: number;
                    /** @description New minus base in points; for cost and time the ratio new to base. */
                    difference: number;
                    /** @description The smallest loss that is found in 80 of 100 such comparisons; for cost and time a ratio. */
                    finds: number | null;
                    /** @description The 95% interval of the difference; null for fewer than three briefs. */
                    interval: {
                        high: number;
                        low: number;
                    } | null;
                    /** @enum {string} */
                    name: "score" | "checks" | "delivered" | "cost" | "time";
                    new: number;
                    /** @description The one-sided probability of such a loss if there is no difference. */
                    pWorse: number | null;
                    /**
                     * @description Tested for all participants together (Holm).
                     * @enum {string}
                     */
                    verdict: "worse" | "better" | "not-seen" | "too-few";
                }[];
                new: {
                    agent: string;
                    attempts: number;
                    /** @description Attempts that failed for reasons other than the work, or that were not run. They are not compared. */
                    failed: number;
                    model: string | null;
                    name: string;
                    versions: string[];
                };
                /** @description Why it is not comparable. */
                whyNot: string | null;
            }[];
            /** @constant */
            schemaVersion: 1;
            /** @description One for each participant, regressions first. */
            sentences: string[];
            /** @description What the judges of this comparison reported as cost. */
            spentUsd: number;
            suite: string;
            trend: {
                /** @description Points of 100. From the judging of that run, whose judges may have been milder or stricter. */
                asJudged: number | null;
                /** @description The time of the last change of its contests. */
                at: string | null;
                /** @description Points of 100. */
                checks: number | null;
                /** @description For each attempt. */
                costUsd: number | null;
                /** @description The share of attempts, from 0 to 1. */
                delivered: number | null;
                durationMs: number | null;
                participant: string;
                run: string;
            }[];
        };
        SuiteDetection: {
            /** @description The difference to find, in points of 100. */
            detect: number;
            /** @description Null if it would take more than 100,000 briefs. */
            needed: {
                briefs: number;
                /** @description The number of participants' runs and of judges that are asked. */
                cells: number;
                /** @description US dollars; null: no cost is known yet. */
                money: number | null;
            } | null;
            now: {
                briefs: number;
                /** @description The number of participants' runs and of judges that are asked. */
                cells: number;
                /** @description US dollars; null: no cost is known yet. */
                money: number | null;
            };
            repeats: number;
            /** @constant */
            schemaVersion: 1;
            /** @description The standard deviation, over briefs, of the difference between two participants. */
            sd: {
                /** @enum {string} */
                from: "results" | "option" | "assumed";
                points: number;
            };
            /** @description The smallest difference that the suite finds as it is, in 80 of 100 cases. */
            smallest: number | null;
            suite: string;
        };
        SuitePlan: {
            broken: {
                path: string;
                problem: string;
            }[];
            contests: {
                all: number;
                open: number;
            };
            cost: {
                /** @description US dollars. */
                money: number | null;
                unknown: number;
            };
            /** @description Participants and judges that one contest would run. */
            each: {
                judges: {
                    agent: string;
                    cells: number;
                    costUsd: number | null;
                    login: string | null;
                    model: string | null;
                    name: string;
                    /** @enum {string} */
                    posture: "L0" | "L1" | "L2" | "L3" | "L4" | "L5";
                    program: string;
                    reaches: string | null;
                }[];
                participants: {
                    agent: string;
                    cells: number;
                    costUsd: number | null;
                    login: string | null;
                    model: string | null;
                    name: string;
                    /** @enum {string} */
                    posture: "L0" | "L1" | "L2" | "L3" | "L4" | "L5";
                    program: string;
                    reaches: string | null;
                }[];
            };
            open: {
                judges: number;
                participants: number;
            };
            parallel: number;
            /** @constant */
            schemaVersion: 1;
            suite: string;
        };
        SuiteStatus: {
            /** @description Whether a process works on the whole suite. */
            atWork: boolean;
            broken: {
                path: string;
                problem: string;
            }[];
            contests: {
                /** @description All participants, and all judges with work. */
                all: {
                    judges: number;
                    participants: number;
                };
                /** @description Whether a process works on it. */
                atWork: boolean;
                /** @description The cost of its round so far; null if no cost is known. */
                costUsd: number | null;
                directory: string;
                /** @description Participants to run, and judges to ask. */
                open: {
                    judges: number;
                    participants: number;
                };
                /** @description The brief and the repeat: `parse-dates/2`. */
                run: string;
                /** @enum {string} */
                state: "complete" | "unfinished" | "not-run";
                /** @description The tags in brief.yaml. */
                tags: string[];
            }[];
            /** @constant */
            schemaVersion: 1;
            suite: string;
        };
        SuiteSummary: {
            agreement: {
                ac: {
                    linear: number | null;
                    quadratic: number | null;
                    unweighted: number | null;
                } | null;
                alpha: {
                    interval: number;
                    nominal: number;
                    ordinal: number;
                } | null;
                concordance: {
                    chiSquare: number;
                    degrees: number;
                    w: number;
                    wTied: number;
                } | null;
                dimension: string;
                kappa: {
                    linear: number | null;
                    quadratic: number | null;
                    unweighted: number | null;
                } | null;
                n: number;
                rankCorrelation: number | null;
                tooFew: boolean;
            }[];
            boards: {
                front: string[];
                /** @enum {string} */
                id: "all-judges" | "without-kin" | "with-style" | "delivered" | "strength";
                rows: {
                    interval: {
                        max: number;
                        min: number;
                    } | null;
                    name: string;
                    rank: number | null;
                    ranks: {
                        from: number;
                        to: number;
                    } | null;
                    score: number | null;
                }[];
                style: {
                    interval: {
                        max: number;
                        min: number;
                    } | null;
                    /** @enum {string} */
                    trait: "lines" | "files" | "words";
                    worth: number;
                }[];
            }[];
            briefs: {
                name: string;
                path: string;
                problem: string | null;
                runs: {
                    hasReport: boolean;
                    repeat: number;
                    results: {
                        checks: {
                            counted: number;
                            passed: number;
                        };
                        name: string;
                        outcome: string | null;
                        score: number | null;
                    }[];
                    /** @enum {string} */
                    state: "complete" | "unfinished" | "not-run";
                    why: string | null;
                }[];
                tags: string[];
            }[];
            description: string | null;
            details: {
                differences: {
                    brief: string;
                    first: number;
                    second: number;
                }[];
                meetings: {
                    a: string;
                    b: string;
                    of: number;
                    won: number;
                }[];
                participants: {
                    dimensions: {
                        [key: string]: number;
                    };
                    name: string;
                    repeatSd: number | null;
                    worst: {
                        brief: string;
                        score: number;
                    }[];
                }[];
                tags: {
                    briefs: number;
                    scores: {
                        name: string;
                        score: number | null;
                    }[];
                    tag: string;
                }[];
            };
            generatedAt: string;
            judges: {
                agent: string;
                answered: number;
                card: {
                    caught: ("position" | "order" | "own-family" | "spread" | "planted" | "empty")[];
                    citations: {
                        found: number;
                        given: number;
                    } | null;
                    controls: {
                        obeys: boolean | null;
                        planted: number | null;
                        praisesEmpty: boolean | null;
                        repeat: number | null;
                        trials: number;
                    } | null;
                    guesses: {
                        texts: number;
                        words: string[];
                    } | null;
                    intervals: {
                        orderEffect: {
                            max: number;
                            min: number;
                        } | null;
                        ownFamily: {
                            max: number;
                            min: number;
                        } | null;
                        severity: {
                            max: number;
                            min: number;
                        } | null;
                        spreadBeyondOthers: {
                            max: number;
                            min: number;
                        } | null;
                    };
                    orderEffect: number | null;
                    ownFamily: number | null;
                    position: {
                        bias: number;
                        consistency: number;
                        p: number;
                        pairs: number;
                    } | null;
                    severity: number | null;
                    spread: number | null;
                    spreadBeyondOthers: number | null;
                } | null;
                costUsd: number | null;
                durationMs: number;
                failed: number;
                model: string | null;
                name: string;
                tokens: {
                    input: number;
                    output: number;
                } | null;
            }[];
            notes: string[];
            /** @enum {string} */
            rankedBy: "judges" | "checks" | "checks-then-judges" | "nothing";
            ranking: {
                agent: string;
                checks: number | null;
                completion: {
                    hits: number;
                    interval: {
                        high: number;
                        low: number;
                    } | null;
                    of: number;
                    share: number | null;
                };
                costPerSuccess: {
                    costUsd: number;
                    high: number | null;
                    low: number | null;
                } | null;
                costUsd: number | null;
                dominatedBy: string | null;
                durationMs: number;
                failedToRun: number;
                failures: {
                    [key: string]: number;
                };
                interval: {
                    max: number;
                    min: number;
                } | null;
                model: string | null;
                name: string;
                notRun: number;
                passes: {
                    chances: {
                        all: number;
                        any: number;
                        briefs: number;
                        k: number;
                    }[];
                    hits: number;
                    interval: {
                        high: number;
                        low: number;
                    } | null;
                    of: number;
                    share: number | null;
                } | null;
                postures?: ("L0" | "L1" | "L2" | "L3" | "L4" | "L5")[];
                rank: number | null;
                score: number | null;
                strength: {
                    behind: number | null;
                    estimate: number;
                    interval: {
                        high: number;
                        low: number;
                    } | null;
                    ranks: {
                        from: number;
                        to: number;
                    } | null;
                    /** @enum {string} */
                    unit: "points" | "log odds";
                } | null;
                tokens: {
                    input: number;
                    output: number;
                } | null;
                versions: string[];
            }[];
            reached: string | null;
            repeats: number;
            /** @constant */
            schemaVersion: 1;
            spent: {
                money: number;
                tokens: number;
            };
            suite: string;
            variants: {
                base: string;
                costRatio: number | null;
                difference: number | null;
                finds: number | null;
                interval: {
                    high: number;
                    low: number;
                } | null;
                isDifferent: boolean;
                name: string;
                of: string;
                sentence: string;
                sets: string[];
                /** @enum {string} */
                unit: "points" | "log odds";
            }[];
            verdict: {
                apart: {
                    briefs: number;
                    name: string;
                    /** @enum {string} */
                    why: "few-briefs" | "infrastructure";
                }[];
                byChecks: boolean;
                cheapest: string | null;
                clusters: {
                    /** @enum {string} */
                    by: "briefs" | "judges";
                    count: number;
                };
                front: string[];
                leader: string | null;
                sentence: string;
                toSettle: {
                    from: number;
                    to: number | null;
                } | null;
            } | null;
        };
        SuiteWork: {
            /** @enum {string} */
            command: "run" | "rejudge" | "refine" | "archive" | "compare";
            directory: string;
            id: string;
            /** @description The contests that are not done, with the reasons. */
            readonly notDone: {
                run: string;
                why: string;
            }[];
            /** @description Why it ended without a result; null if it did not. */
            problem: string | null;
            requestedBy: string;
            startedAt: string;
            /** @enum {string} */
            state: "running" | "done" | "failed" | "cancelled";
        };
        /** @description A terminal of an agent, in a separate cell. */
        Terminal: {
            /** @description The name of its agent. */
            agent: string;
            columns: number;
            /** @description The program and its arguments; empty for a borrower. */
            command: string[];
            id: string;
            /** @description The name of the lease that it belongs to. */
            lease: string | null;
            rows: number;
            startedAt: string;
            /** @description The name of the credential that types; null if none does. */
            typist: string | null;
            /** @description How many clients are watching it. */
            viewers: number;
        };
        Token: {
            createdAt: string;
            expiresAt: string | null;
            id: string;
            lastUsedAt: string | null;
            /** @description The id of the lease that it was made for. */
            lease: string | null;
            name: string;
            revokedAt: string | null;
            /** @enum {string} */
            role: "owner" | "operator" | "viewer" | "borrower";
        };
        TranscriptEvent: {
            /** @description A time in ISO 8601. */
            at: string;
            /** @description Counts from 1. */
            n: number;
            /** @description text (text) · reasoning (text) · tool-call (id, name, input) · tool-result (id, ok, text) · usage (usage, the total so far) · cost (usd) · conversation (id) · rate-limit (message, resetsAt, final) · login-needed (message) · error (message) · result (ok, text) · unknown (line) · truncated (message). Later versions may add others. */
            type: string;
        } & {
            [key: string]: unknown;
        };
        Webhook: {
            createdAt: string;
            events: string[];
            id: string;
            /** @description The newest outcome; null if nothing has been sent yet. */
            last: {
                /** @description The time of the last attempt. */
                at: string;
                attempts: number;
                /** @description The id of the event; for skipped events, of the last one. */
                event: number;
                kind: string | null;
                /** @description When it will be tried again. */
                nextAt: string | null;
                /** @description Why it was not accepted; null if it was. */
                problem: string | null;
                /**
                 * @description waiting: will be tried again · given-up: will not · skipped: the events were deleted before they were sent.
                 * @enum {string}
                 */
                state: "delivered" | "waiting" | "given-up" | "skipped";
                /** @description The HTTP status of the last answer; null if there was none. */
                status: number | null;
            } | null;
            name: string;
            paused: boolean;
            /** @description Only owners see the path, because many receivers use it to authenticate senders. */
            url: string;
        };
        WholeJob: {
            /** @description The name of the agent; null if any free one with the labels takes it. */
            agent: string | null;
            agentId: string | null;
            attempt: number;
            /** @description The budget that was given with the job. */
            budget: {
                /** @description Running time of its cells. */
                time?: string;
                /** @description Tokens that its models read and wrote, including cached ones. */
                tokens?: number;
                /** @description Steps of the agent: answers of its model, as text or tool calls. */
                turns?: number;
                /** @description US dollars: the cost that the agent reports, or else the price of its tokens in `fleet.prices`. */
                usd?: number;
            } | null;
            cancelAsked: boolean;
            /** @description The job whose conversation it continues, or that it follows because that conversation was lost. */
            continues: string | null;
            conversation: string | null;
            createdAt: string;
            endedAt: string | null;
            id: string;
            /** @description Whether it is a message to the job that it continues. It starts when that one has ended. */
            isMessage: boolean;
            labels: string[];
            /** @description The id of the lease that it belongs to. */
            lease: string | null;
            number: number;
            /** @description The job that delegated it. */
            parent: string | null;
            problem: string | null;
            prompt: string;
            /** @description The first 200 characters of the prompt. */
            promptStart: string;
            requestedBy: string;
            result: {
                /** @default 0 */
                cellMs: number;
                changes: {
                    created: string[];
                    /** @default [] */
                    deleted: string[];
                    /** @default [] */
                    git: {
                        branchAfter: string | null;
                        branchBefore: string | null;
                        /** @description At most 1,001. Null: the commits could not be read. */
                        commitCount: number | null;
                        /** @description Commits that no ref had before, newest first; at most 100. */
                        commits: {
                            hash: string;
                            /** @description Protected paths that it changes. */
                            protected: string[];
                            subject: string;
                        }[];
                        headAfter: string | null;
                        headBefore: string | null;
                        inProgress: ("rebase" | "am" | "merge" | "cherry-pick" | "revert" | "bisect") | null;
                        /** @description Number of stashes that were added. */
                        stashes: number;
                        /** @description The path of the work tree; . is the project. */
                        workTree: string;
                    }[];
                    modified: string[];
                    /** @default [] */
                    renamed: {
                        from: string;
                        to: string;
                    }[];
                    runsLater: {
                        path: string;
                        why: string;
                    }[];
                    truncated: boolean;
                } | null;
                conversation: string | null;
                copy: string | null;
                costUsd: number | null;
                endedAt: string;
                /** @description The number of files in `changes`, also those that a list leaves out. */
                files: number;
                /** @description True in a list that has only the first 1,000 characters of `text`, or the first 20 entries of `changes` and `notes`. */
                isShort: boolean;
                notes: string[];
                outcome: {
                    exitCode: number | null;
                    hint: string | null;
                    /** @enum {string} */
                    kind: "ran" | "rate-limited" | "login-needed" | "endpoint-failed" | "out-of-memory" | "out-of-time" | "silent" | "start-failed" | "out-of-disk" | "output-flood" | "out-of-budget" | "cancelled";
                    message: string | null;
                    /** @description Milliseconds since the epoch. */
                    resetsAt: number | null;
                };
                startedAt: string;
                /** @enum {string} */
                state: "done" | "failed" | "cancelled";
                text: string;
                /** @description The number of changed files in its copy that were neither applied nor discarded, or of commits on its branch that were not merged, as far as the server knows. */
                toApply: number;
                toolCalls: number;
                /** @default 0 */
                turns: number;
                usage: {
                    cachedInput: number;
                    input: number;
                    model: string | null;
                    output: number;
                } | null;
                /** @default null */
                worktree: components["schemas"]["JobWorktree"] | null;
            } | null;
            startedAt: string | null;
            /** @enum {string} */
            state: "queued" | "running" | "waiting" | "done" | "failed" | "cancelled" | "interrupted";
        };
        WholeSchedule: {
            /** @description The name of the agent. */
            agent: string;
            agentId: string;
            createdAt: string;
            cron: string;
            id: string;
            lastJob: string | null;
            /** @enum {string} */
            missed: "once" | "skip";
            name: string;
            /** @description The next five times; empty while it is paused. */
            next: string[];
            /** @enum {string} */
            overlap: "skip" | "queue";
            paused: boolean;
            /** @description Why the last time created no job; null if it did. */
            problem: string | null;
            prompt: string;
            /** @description The first 200 characters of the prompt. */
            promptStart: string;
            zone: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listAgents: {
        parameters: {
            query?: {
                /** @description Also list archived agents. */
                archived?: string;
                /** @description `next` of the previous page. */
                cursor?: string;
                /** @description Maximum number of items. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The id of the last event that is reflected in the items. Follow the events after it. */
                        asOf: number;
                        items: components["schemas"]["Agent"][];
                        /** @description The cursor of the next page; null on the last page. */
                        next: string | null;
                    };
                };
            };
        };
    };
    createAgent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The manifest as JSON. */
                    manifest: {
                        [key: string]: unknown;
                    };
                } | {
                    /** @description The manifest as YAML text. */
                    yaml: string;
                };
            };
        };
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
        };
    };
    getAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Its name or id. */
                agent: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
        };
    };
    editAgent: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the version that was edited. */
                "if-match"?: string;
            };
            path: {
                /** @description Its name or id. */
                agent: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The manifest as JSON. */
                    manifest: {
                        [key: string]: unknown;
                    };
                } | {
                    /** @description The manifest as YAML text. */
                    yaml: string;
                };
            };
        };
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
        };
    };
    deleteAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Its name or id. */
                agent: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    approveAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Its name or id. */
                agent: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description False: the manifest is dropped, and the agent keeps the one that was approved before. */
                    allowed: boolean;
                    /** @description The version that was read. Another one is not decided. */
                    version: number;
                };
            };
        };
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
        };
    };
    archiveAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Its name or id. */
                agent: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
        };
    };
    lookAtFiles: {
        parameters: {
            query?: {
                /** @description The path, with / between names; the workspace itself by default. */
                path?: string;
                /** @description Which workspace, for an agent with several jobs at the same time. */
                slot?: number;
            };
            header?: never;
            path: {
                /** @description The name or id of the agent. */
                agent: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Look"];
                };
            };
        };
    };
    listMemory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Its name or id. */
                agent: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Episode"][];
                    };
                };
            };
        };
    };
    forgetAll: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Its name or id. */
                agent: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    forgetJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Its name or id. */
                agent: string;
                /** @description The id of the job that it remembers. */
                job: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getPolicy: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name or id of the agent. */
                agent: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Policy"];
                };
            };
        };
    };
    openTerminal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Its name or id. */
                agent: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The command to run in it. If absent, the agent's CLI or command, or a shell for a model. */
                    command?: string[];
                    /** @description A lease of the agent whose home and workspace it uses; for owners. */
                    lease?: string;
                    /**
                     * @default {
                     *       "columns": 80,
                     *       "rows": 24
                     *     }
                     */
                    size?: {
                        columns: number;
                        rows: number;
                    };
                };
            };
        };
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Terminal"];
                };
            };
        };
    };
    startAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Its name or id. */
                agent: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
        };
    };
    stopAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Its name or id. */
                agent: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
        };
    };
    listApprovals: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Approvals"];
                };
            };
        };
    };
    forgetApproval: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the remembered answer. */
                answer: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    answerApproval: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the question. */
                approval: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    allowed: boolean;
                    /**
                     * @description What the answer applies to. `always` applies to every later cell of this machine, and only an owner may give it.
                     * @default once
                     * @enum {string}
                     */
                    scope?: "once" | "cell" | "always";
                };
            };
        };
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApprovalAnswered"];
                };
            };
        };
    };
    readAudit: {
        parameters: {
            query?: {
                /** @description Who caused it: the name of a token or session; `user`: the user of the machine. */
                actor?: string;
                /** @description Only lines with a higher number. To follow the log, pass `newest` of the previous answer; cheap enough to call every second. */
                after?: number;
                /** @description The name of an agent: returns lines of its newest 200 cells. */
                agent?: string;
                /** @description Only lines with a lower number: the page before. */
                before?: number;
                /** @description The start of the id of a cell. */
                cell?: string;
                /** @description Only lines from this time on. */
                from?: string;
                /** @description A part of the host name. */
                host?: string;
                /** @description A kind (`egress.deny`) or its first part; several separated by commas. */
                kind?: string;
                /** @description Maximum number of lines. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            /** @description Who caused it; if absent, the user of the machine. */
                            actor?: string;
                            cell?: string;
                            data: {
                                [key: string]: unknown;
                            };
                            hash: string;
                            kind: string;
                            origin: {
                                agent: string | null;
                                job: string | null;
                                name: string;
                            } | null;
                            /** @description The hash of the previous line. */
                            prev: string;
                            /** @enum {number} */
                            schemaVersion?: 1;
                            seq: number;
                            time: string;
                        }[];
                        /** @description The number of the newest line of the log when it was read; pass it as `after`. */
                        newest: number;
                        /** @description False if more lines follow `after` than are read at once, so older lines are missing. */
                        whole: boolean;
                    };
                };
            };
        };
    };
    verifyAudit: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        files: number;
                        /** @description The number of the oldest line that is kept. */
                        first: number | null;
                        /** @description The newest line. */
                        head: {
                            hash: string;
                            seq: number;
                            time: string;
                        } | null;
                        lines: number;
                        notes: string[];
                        problem: {
                            file: string | null;
                            /** @enum {string} */
                            kind: "changed" | "dropped" | "reordered" | "truncated" | "torn" | "head" | "replaced";
                            line: number | null;
                            message: string;
                        } | null;
                        /** @enum {number} */
                        schemaVersion: 1;
                        whole: boolean;
                    };
                };
            };
        };
    };
    getBudgets: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            /** @description The name of the agent; null for all agents together. */
                            agent: string | null;
                            limit: number;
                            /** @enum {string} */
                            period: "day" | "month";
                            since: string;
                            /**
                             * @description usd: US dollars · time: milliseconds with a running cell.
                             * @enum {string}
                             */
                            unit: "turns" | "tokens" | "usd" | "time";
                            until: string;
                            /** @description Used by jobs that have ended. */
                            used: number;
                        }[];
                    };
                };
            };
        };
    };
    getCapabilities: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        agents: {
                            hint: string;
                            installed: boolean;
                            /**
                             * @description The variables that give it a key of its own instead of a login; null if it has no login.
                             * @default null
                             */
                            loginVariables: string[] | null;
                            name: string;
                            /**
                             * @description What it reports about its work: nothing, its steps and tokens, or also their cost.
                             * @enum {string}
                             */
                            reports: "nothing" | "tokens" | "cost";
                            tried: boolean;
                            /**
                             * @description Whether it can use the tools ask and delegate.
                             * @default false
                             */
                            usesMcp: boolean;
                            version: string | null;
                            /**
                             * @description Its own tool that brings text of others through the API of its model; null if none is known.
                             * @default null
                             */
                            webTool: string | null;
                        }[];
                        /**
                         * @description The backends of this machine, with the isolation levels of the cells that each builds. The first builds the usual cells.
                         * @default []
                         */
                        backends: {
                            name: string;
                            postures: string[];
                        }[];
                        checks: {
                            detail: string;
                            hint?: string;
                            name: string;
                            ok: boolean;
                        }[];
                        /** @description The egress policies, and why some of them cannot be enforced. */
                        egress: {
                            detail: string;
                            hint?: string;
                            modes: ("off" | "allowlist" | "public" | "open")[];
                            ok: boolean;
                        }[];
                        /** @description How each limit is enforced. */
                        limits: {
                            gap?: string;
                            limit: string;
                            mechanism: string;
                        }[];
                        /** @description Whether cells can be started. */
                        ok: boolean;
                        /** @description The isolation level of cells by default, from L0 to L5. */
                        posture: string;
                        /**
                         * @description All isolation levels that cells here can have.
                         * @default [
                         *       "L2"
                         *     ]
                         */
                        postures: string[];
                        /** @enum {number} */
                        schemaVersion: 1;
                        system: string;
                        version: string;
                    };
                };
            };
        };
    };
    lookAgain: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        agents: {
                            hint: string;
                            installed: boolean;
                            /**
                             * @description The variables that give it a key of its own instead of a login; null if it has no login.
                             * @default null
                             */
                            loginVariables: string[] | null;
                            name: string;
                            /**
                             * @description What it reports about its work: nothing, its steps and tokens, or also their cost.
                             * @enum {string}
                             */
                            reports: "nothing" | "tokens" | "cost";
                            tried: boolean;
                            /**
                             * @description Whether it can use the tools ask and delegate.
                             * @default false
                             */
                            usesMcp: boolean;
                            version: string | null;
                            /**
                             * @description Its own tool that brings text of others through the API of its model; null if none is known.
                             * @default null
                             */
                            webTool: string | null;
                        }[];
                        /**
                         * @description The backends of this machine, with the isolation levels of the cells that each builds. The first builds the usual cells.
                         * @default []
                         */
                        backends: {
                            name: string;
                            postures: string[];
                        }[];
                        checks: {
                            detail: string;
                            hint?: string;
                            name: string;
                            ok: boolean;
                        }[];
                        /** @description The egress policies, and why some of them cannot be enforced. */
                        egress: {
                            detail: string;
                            hint?: string;
                            modes: ("off" | "allowlist" | "public" | "open")[];
                            ok: boolean;
                        }[];
                        /** @description How each limit is enforced. */
                        limits: {
                            gap?: string;
                            limit: string;
                            mechanism: string;
                        }[];
                        /** @description Whether cells can be started. */
                        ok: boolean;
                        /** @description The isolation level of cells by default, from L0 to L5. */
                        posture: string;
                        /**
                         * @description All isolation levels that cells here can have.
                         * @default [
                         *       "L2"
                         *     ]
                         */
                        postures: string[];
                        /** @enum {number} */
                        schemaVersion: 1;
                        system: string;
                        version: string;
                    };
                };
            };
        };
    };
    listContests: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            /** @description The cost of its round so far; null if no cost is known. */
                            costUsd: number | null;
                            directory: string;
                            id: string;
                            /** @description Why it ended without a report; null if it did not. */
                            problem: string | null;
                            requestedBy: string;
                            startedAt: string;
                            /** @enum {string} */
                            state: "running" | "done" | "failed" | "cancelled";
                            /** @description The leader and how certain that is. Null if the contest is not done, or no judge gave scores. */
                            verdict: string | null;
                        }[];
                    };
                };
            };
        };
    };
    startContest: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description A directory on this machine. `fleet.contests` of config.yaml lists which are allowed. */
                    directory: string;
                    /** @description Cells at the same time. */
                    parallel?: number;
                    /**
                     * @description Also runs participants and judges again that did not finish.
                     * @default false
                     */
                    retry?: boolean;
                };
            };
        };
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Contest"];
                };
            };
        };
    };
    getContest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Its id. */
                contest: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        directory: string;
                        /** @description Whether it was made from a project, to which work can be applied. */
                        hasProject: boolean;
                        id: string;
                        /** @description Why it ended without a report; null if it did not. */
                        problem: string | null;
                        requestedBy: string;
                        startedAt: string;
                        /** @enum {string} */
                        state: "running" | "done" | "failed" | "cancelled";
                        /** @description Null if not known. */
                        status: components["schemas"]["ContestStanding"] | null;
                    };
                };
            };
        };
    };
    forgetContest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Its id. */
                contest: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    applyContestWork: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Its id. */
                contest: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Also apply files that seem to contain a secret.
                     * @default false
                     */
                    allowSecrets?: boolean;
                    /** @description Commits these paths with git. */
                    commit?: {
                        message?: string;
                    };
                    /** @description A participant, whose newest work is used. */
                    participant: string;
                    /** @description Only these paths, relative to the project. */
                    paths?: string[];
                    /**
                     * @description Also apply files that programs on this machine run later.
                     * @default false
                     */
                    runLater?: boolean;
                };
            };
        };
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContestApplied"];
                };
            };
        };
    };
    cancelContest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Its id. */
                contest: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Contest"];
                };
            };
        };
    };
    reviewContestWork: {
        parameters: {
            query: {
                /** @description A participant, whose newest work is used. */
                participant: string;
                /** @description Leave out the diffs. */
                stat?: string;
            };
            header?: never;
            path: {
                /** @description Its id. */
                contest: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Review"];
                };
            };
        };
    };
    getContestReport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Its id. */
                contest: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContestSummary"];
                };
            };
        };
    };
    getContestReportPage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Its id. */
                contest: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
        };
    };
    undoContestApply: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Its id. */
                contest: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        deleted: string[];
                        participant: string;
                        project: string;
                        round: number;
                        same: string[];
                        /** @enum {number} */
                        schemaVersion: 1;
                        written: string[];
                    };
                };
            };
        };
    };
    listContestDirectories: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            directory: string;
                        }[];
                    };
                };
            };
        };
    };
    planContest: {
        parameters: {
            query: {
                /** @description The same directory as to start it. */
                directory: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContestPlan"];
                };
            };
        };
    };
    listCredentials: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            account: string | null;
                            /** @description The CLI that it is for; `gh` is the forge. */
                            agent: string;
                            expiresAt: string | null;
                            hint: string | null;
                            /** @description How the credential is passed to a cell; null if it is not. */
                            inCell: string | null;
                            kind: ("subscription" | "key") | null;
                            problem: string | null;
                            /** @description The vendor, if the agent has logins at several. */
                            provider: string | null;
                            source: ({
                                /** @enum {string} */
                                kind: "environment";
                                name: string;
                            } | {
                                /** @enum {string} */
                                kind: "volume";
                                name: string;
                                path: string;
                            } | {
                                /** @enum {string} */
                                kind: "file";
                                path: string;
                            } | {
                                account: string;
                                /** @enum {string} */
                                kind: "keychain";
                                service: string;
                            }) | null;
                            /**
                             * @description renewable: its access token expires and is renewed · soon: it expires soon · ended: it has expired.
                             * @enum {string}
                             */
                            state: "good" | "renewable" | "soon" | "ended" | "unusable";
                            warnings: string[];
                        }[];
                    };
                };
            };
        };
    };
    getDiscord: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Discord"];
                };
            };
        };
    };
    connectDiscord: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    token: string;
                };
            };
        };
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Discord"];
                };
            };
        };
    };
    disconnectDiscord: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    setDiscordChannel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the channel. */
                channel: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    agent: string;
                    /** @description The ids of users. */
                    users: string[];
                };
            };
        };
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DiscordChannel"];
                };
            };
        };
    };
    removeDiscordChannel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the channel. */
                channel: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    followEvents: {
        parameters: {
            query?: {
                /** @description The number of the last item that the reader has; 0 for all. */
                after?: string;
            };
            header?: {
                /** @description The same as `after`, as browsers send it when they reconnect. It takes precedence. */
                "last-event-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Server-sent events. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": {
                        data: components["schemas"]["FleetEvent"];
                        /** @enum {string} */
                        event?: "message";
                        /** @description The position to continue after. */
                        id: number;
                    } | components["schemas"]["StreamHeartbeat"] | components["schemas"]["StreamReset"] | components["schemas"]["StreamEnd"];
                };
            };
        };
    };
    getFleet: {
        parameters: {
            query?: {
                /** @description Only these agents, by id, separated by commas. Agents that no longer exist are left out. */
                agents?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        asOf: number;
                        items: components["schemas"]["Doing"][];
                    };
                };
            };
        };
    };
    getGuarantees: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Guarantees"];
                };
            };
        };
    };
    verifyGuarantees: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @default allowlist
                     * @enum {string}
                     */
                    egress?: "off" | "allowlist" | "public" | "open";
                };
            };
        };
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Guarantees"];
                };
            };
        };
    };
    listHooks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Hook"][];
                    };
                };
            };
        };
    };
    createHook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    agent: string;
                    name: string;
                    /** @description What the agent should do with each delivery. */
                    prompt: string;
                };
            };
        };
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The name of the agent. */
                        agent: string;
                        agentId: string;
                        createdAt: string;
                        id: string;
                        lastJob: string | null;
                        name: string;
                        /** @description Where deliveries go, on this server. */
                        path: string;
                        /** @description Why the last delivery created no job; null if it did. */
                        problem: string | null;
                        prompt: string;
                        secret: string;
                    };
                };
            };
        };
    };
    deleteHook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Its name or id. */
                hook: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    deliverToHook: {
        parameters: {
            query?: never;
            header?: {
                /** @description HMAC-SHA-256 in hexadecimal, with the secret as key, over the time, a dot and the body. */
                "x-paddock-signature"?: string;
                /** @description Seconds since the epoch, at most 300 away. */
                "x-paddock-time"?: string;
            };
            path: {
                /** @description Its name or id. */
                hook: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        job: string;
                    };
                };
            };
        };
    };
    getInbox: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Inbox"];
                };
            };
        };
    };
    answerQuestion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the question. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description For a call: whether to make it. For a question: false if there is no answer.
                     * @default true
                     */
                    allowed?: boolean;
                    /**
                     * @description The answer to a question, or why a call is denied.
                     * @default
                     */
                    text?: string;
                };
            };
        };
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        allowed: boolean;
                        id: string;
                        job: string;
                    };
                };
            };
        };
    };
    listJobs: {
        parameters: {
            query?: {
                /** @description Only jobs of this agent. */
                agent?: string;
                /** @description `next` of the previous page. */
                cursor?: string;
                /** @description Only jobs of this lease, by its name or id. */
                lease?: string;
                /** @description Maximum number of items. */
                limit?: number;
                /** @description Only jobs in this state. */
                state?: "queued" | "running" | "waiting" | "done" | "failed" | "cancelled" | "interrupted";
                /** @description Only jobs with this text in the first 200 characters of their prompt, ignoring the case of ASCII letters. */
                text?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The id of the last event that is reflected in the items. Follow the events after it. */
                        asOf: number;
                        items: components["schemas"]["Job"][];
                        /** @description The cursor of the next page; null on the last page. */
                        next: string | null;
                    };
                };
            };
        };
    };
    giveJob: {
        parameters: {
            query?: never;
            header?: {
                /** @description A second request with the same key returns the job of the first. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The name or id of an agent; if absent, any free one with the labels. */
                    agent?: string;
                    /** @description What this job may use, within the budget of its agent. The job ends when either is used up. */
                    budget?: {
                        /** @description Running time of its cells. */
                        time?: string;
                        /** @description Tokens that its models read and wrote, including cached ones. */
                        tokens?: number;
                        /** @description Steps of the agent: answers of its model, as text or tool calls. */
                        turns?: number;
                        /** @description US dollars: the cost that the agent reports, or else the price of its tokens in `fleet.prices`. */
                        usd?: number;
                    };
                    /** @description A job of the same agent that has ended, whose conversation this one continues. */
                    continues?: string;
                    /**
                     * @description Labels that an agent must have to take the job, if no agent is named.
                     * @default []
                     */
                    labels?: string[];
                    prompt: string;
                };
            };
        };
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
        };
    };
    getJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Its id. */
                job: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WholeJob"];
                };
            };
        };
    };
    changeJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Its id. */
                job: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    prompt: string;
                };
            };
        };
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
        };
    };
    applyJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Its id. */
                job: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Also apply files that seem to contain a secret.
                     * @default false
                     */
                    allowSecrets?: boolean;
                    /**
                     * @description Only keeps the branch of a job in a work tree, and deletes the work tree.
                     * @default false
                     */
                    branch?: boolean;
                    /** @description Commits these paths with git. */
                    commit?: {
                        message?: string;
                    };
                    /** @description Only these paths, relative to the project. */
                    paths?: string[];
                    /**
                     * @description Also apply files that programs on this machine run later.
                     * @default false
                     */
                    runLater?: boolean;
                };
            };
        };
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Applied"] | components["schemas"]["Merged"];
                };
            };
        };
    };
    cancelJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Its id. */
                job: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
        };
    };
    reviewJob: {
        parameters: {
            query?: {
                /** @description Leave out the diffs. */
                stat?: string;
            };
            header?: never;
            path: {
                /** @description Its id. */
                job: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Review"];
                };
            };
        };
    };
    reviewWholeFile: {
        parameters: {
            query: {
                /** @description The path, as in the list of changes. */
                path: string;
            };
            header?: never;
            path: {
                /** @description Its id. */
                job: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Review"];
                };
            };
        };
    };
    continueJob: {
        parameters: {
            query?: never;
            header?: {
                /** @description A second request with the same key returns the job of the first. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description Its id. */
                job: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    prompt: string;
                };
            };
        };
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
        };
    };
    discardJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Its id. */
                job: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        project: string | null;
                        /** @enum {number} */
                        schemaVersion: 1;
                    } | components["schemas"]["RemovedWorktree"];
                };
            };
        };
    };
    followJob: {
        parameters: {
            query?: {
                /** @description The number of the last item that the reader has; 0 for all. */
                after?: string;
            };
            header?: {
                /** @description The same as `after`, as browsers send it when they reconnect. It takes precedence. */
                "last-event-id"?: string;
            };
            path: {
                /** @description Its id. */
                job: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Server-sent events. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": {
                        data: components["schemas"]["TranscriptEvent"];
                        /** @enum {string} */
                        event?: "message";
                        /** @description The position to continue after. */
                        id: number;
                    } | components["schemas"]["StreamHeartbeat"] | components["schemas"]["StreamReset"] | components["schemas"]["StreamEnd"];
                };
            };
        };
    };
    sendMessage: {
        parameters: {
            query?: never;
            header?: {
                /** @description A second request with the same key returns the job of the first. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description Its id. */
                job: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    prompt: string;
                };
            };
        };
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
        };
    };
    sendNow: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Its id. */
                job: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
        };
    };
    getOwnLease: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwnLease"];
                };
            };
        };
    };
    listLeases: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Lease"][];
                    };
                };
            };
        };
    };
    createLease: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The name or id of the agent that is lent. */
                    agent: string;
                    /** @description What all of its jobs together may use. */
                    budget?: {
                        /** @description Running time of its cells. */
                        time?: string;
                        /** @description Tokens that its models read and wrote, including cached ones. */
                        tokens?: number;
                        /** @description Steps of the agent: answers of its model, as text or tool calls. */
                        turns?: number;
                        /** @description US dollars: the cost that the agent reports, or else the price of its tokens in `fleet.prices`. */
                        usd?: number;
                    };
                    /** @description When it ends: a duration from now, such as 7d, or a time such as 2027-01-31T12:00:00Z. */
                    expires: string;
                    /** @description The name of the lease. */
                    name: string;
                    /**
                     * @description `read` (default): the borrower sees terminals that the owner opens in the lease. `type`: the borrower opens one and types, bypassing topics and budget.
                     * @enum {string}
                     */
                    terminal?: "read" | "type";
                    /** @description The tools of its manifest that the borrower may use; by default, all. */
                    tools?: string[];
                    /** @description Which topics texts of the borrower may have, as in a manifest. Only owners see the patterns. */
                    topics?: {
                        /** @description Each incoming text must match one of these. */
                        allow?: string[];
                        /** @description No incoming text may match one of these; this takes precedence over `allow`. */
                        deny?: string[];
                    };
                };
            };
        };
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        lease: components["schemas"]["Lease"];
                        /** @description The borrower's secret token. */
                        token: string;
                    };
                };
            };
        };
    };
    getLease: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Its name or id. */
                lease: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Lease"];
                };
            };
        };
    };
    revokeLease: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Its name or id. */
                lease: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Lease"];
                };
            };
        };
    };
    createLoginLink: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Whose session it is, as jobs and the audit log name it; by default, its role.
                     * @default null
                     */
                    name?: string | null;
                    /**
                     * @default owner
                     * @enum {string}
                     */
                    role?: "owner" | "operator" | "viewer" | "borrower";
                };
            };
        };
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Goes in the fragment of the page's URL. */
                        code: string;
                        expiresInSeconds: number;
                        /** @enum {string} */
                        role: "owner" | "operator" | "viewer" | "borrower";
                    };
                };
            };
        };
    };
    checkManifest: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    yaml: string;
                };
            };
        };
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        policy: components["schemas"]["Policy"] | null;
                        problem: {
                            code: string;
                            hint: string | null;
                            message: string;
                        } | null;
                    };
                };
            };
        };
    };
    resumeFleet: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The pause that ended; null if the fleet was not paused. */
                        ended: {
                            /** @description Whether queued jobs do not start either. */
                            jobs: boolean;
                            since: string;
                        } | null;
                    };
                };
            };
        };
    };
    listSchedules: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Schedule"][];
                    };
                };
            };
        };
    };
    createSchedule: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The name or id of the agent that gets the jobs. */
                    agent: string;
                    /** @description Five fields: minute, hour, day of the month, month, weekday; as in crontab(5). */
                    cron: string;
                    /**
                     * @description For times that passed while no server ran: one job for all of them, or none.
                     * @default once
                     * @enum {string}
                     */
                    missed?: "once" | "skip";
                    name: string;
                    /**
                     * @description For a time when the previous job has not ended: no job, or one that waits.
                     * @default skip
                     * @enum {string}
                     */
                    overlap?: "skip" | "queue";
                    prompt: string;
                    /**
                     * @description A time zone from the IANA database.
                     * @default UTC
                     */
                    zone?: string;
                };
            };
        };
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Schedule"];
                };
            };
        };
    };
    getSchedule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Its name or id. */
                schedule: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WholeSchedule"];
                };
            };
        };
    };
    editSchedule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Its name or id. */
                schedule: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The name or id of the agent that gets the jobs. */
                    agent: string;
                    /** @description Five fields: minute, hour, day of the month, month, weekday; as in crontab(5). */
                    cron: string;
                    /**
                     * @description For times that passed while no server ran: one job for all of them, or none.
                     * @default once
                     * @enum {string}
                     */
                    missed?: "once" | "skip";
                    name: string;
                    /**
                     * @description For a time when the previous job has not ended: no job, or one that waits.
                     * @default skip
                     * @enum {string}
                     */
                    overlap?: "skip" | "queue";
                    prompt: string;
                    /**
                     * @description A time zone from the IANA database.
                     * @default UTC
                     */
                    zone?: string;
                };
            };
        };
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Schedule"];
                };
            };
        };
    };
    deleteSchedule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Its name or id. */
                schedule: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    pauseSchedule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Its name or id. */
                schedule: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Schedule"];
                };
            };
        };
    };
    resumeSchedule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Its name or id. */
                schedule: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Schedule"];
                };
            };
        };
    };
    runSchedule: {
        parameters: {
            query?: never;
            header?: {
                /** @description A second request with the same key returns the job of the first. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description Its name or id. */
                schedule: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
        };
    };
    getServer: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Server"];
                };
            };
        };
    };
    getSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        kind: "socket" | "token" | "session";
                        name: string;
                        /** @enum {string} */
                        role: "owner" | "operator" | "viewer" | "borrower";
                    };
                };
            };
        };
    };
    startSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    code: string;
                } | {
                    token: string;
                };
            };
        };
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        expiresAt: string;
                        /** @description The half of the session that goes in the header x-paddock-session; the other is a cookie. */
                        half: string;
                        /** @enum {string} */
                        role: "owner" | "operator" | "viewer" | "borrower";
                    };
                };
            };
        };
    };
    endSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listTerminals: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Terminal"][];
                    };
                };
            };
        };
    };
    getTerminal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Its id. */
                session: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Terminal"];
                };
            };
        };
    };
    endTerminal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Its id. */
                session: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Terminal"];
                };
            };
        };
    };
    listSuites: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            directory: string;
                            /** @description The newest command that was started over the API. */
                            work: components["schemas"]["SuiteWork"] | null;
                        }[];
                    };
                };
            };
        };
    };
    startSuite: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description A directory on this machine. `fleet.contests` of config.yaml lists which are allowed. */
                    directory: string;
                    /**
                     * @description The names of the briefs; empty: all.
                     * @default []
                     */
                    only?: string[];
                    /** @description Cells at the same time. */
                    parallel?: number;
                    /**
                     * @description Also runs participants and judges again that did not finish.
                     * @default false
                     */
                    retry?: boolean;
                };
            };
        };
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SuiteWork"];
                };
            };
        };
    };
    archiveSuite: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description A directory on this machine. `fleet.contests` of config.yaml lists which are allowed. */
                    directory: string;
                    /**
                     * @description The names of the briefs; empty: all.
                     * @default []
                     */
                    only?: string[];
                    /**
                     * @description Includes transcripts and output of agents.
                     * @default false
                     */
                    withLogs?: boolean;
                };
            };
        };
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SuiteWork"];
                };
            };
        };
    };
    cancelSuite: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description A directory on this machine. `fleet.contests` of config.yaml lists which are allowed. */
                    directory: string;
                };
            };
        };
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SuiteWork"];
                };
            };
        };
    };
    cleanSuite: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description A directory on this machine. `fleet.contests` of config.yaml lists which are allowed. */
                    directory: string;
                    /**
                     * @description The names of the briefs; empty: all.
                     * @default []
                     */
                    only?: string[];
                };
            };
        };
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SuiteCleaned"];
                };
            };
        };
    };
    compareSuite: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Whether to use the scores of the old judgings, which never gate.
                     * @default false
                     */
                    asJudged?: boolean;
                    /** @description The earlier run: an allowed directory, which may be the same one with a round. */
                    base: string;
                    /** @description US dollars that the judges may cost. */
                    budget?: number;
                    /** @description A directory on this machine. `fleet.contests` of config.yaml lists which are allowed. */
                    directory: string;
                    /**
                     * @description Conditions such as `worse by 3` or `cost worse by 20%`.
                     * @default []
                     */
                    failIf?: string[];
                    /** @description The round of the contests of the base; by default the newest. */
                    round?: number;
                };
            };
        };
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SuiteWork"];
                };
            };
        };
    };
    getSuiteComparison: {
        parameters: {
            query: {
                /** @description A directory on this machine. `fleet.contests` of config.yaml lists which are allowed. */
                directory: string;
                /** @description The name of the comparison, from the list. */
                name: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SuiteComparison"];
                };
            };
        };
    };
    getSuiteComparisonPage: {
        parameters: {
            query: {
                /** @description A directory on this machine. `fleet.contests` of config.yaml lists which are allowed. */
                directory: string;
                /** @description The name of the comparison, from the list. */
                name: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
        };
    };
    listSuiteComparisons: {
        parameters: {
            query: {
                /** @description A directory on this machine. `fleet.contests` of config.yaml lists which are allowed. */
                directory: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            /** @description The directory of the suite, and `@N` for round N of its contests. */
                            base: string;
                            gates: {
                                /** @description The smallest loss that this gate finds in 80 of 100 such comparisons. */
                                finds: number | null;
                                gate: string;
                                /** @enum {string} */
                                measure: "score" | "checks" | "delivered" | "cost" | "time" | "infrastructure";
                                participant: string;
                                /** @enum {string} */
                                state: "passed" | "failed" | "untested";
                                /** @description Why it was not tested; for infrastructure, why it failed. */
                                why: string | null;
                            }[];
                            generatedAt: string;
                            /** @description A gate failed or could not be tested. The exit code is then 1. */
                            isFailed: boolean;
                            /** @description The name of the comparison, from the list. */
                            name: string;
                            new: string;
                            /** @description One for each participant, regressions first. */
                            sentences: string[];
                        }[];
                    };
                };
            };
        };
    };
    getSuiteContest: {
        parameters: {
            query: {
                /** @description A directory on this machine. `fleet.contests` of config.yaml lists which are allowed. */
                directory: string;
                /** @description The brief and the repeat: `parse-dates/2`. */
                run: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Whether a process works on it. */
                        atWork: boolean;
                        directory: string;
                        /** @description Null if not known. */
                        status: components["schemas"]["ContestStanding"] | null;
                    };
                };
            };
        };
    };
    getSuiteContestReportPage: {
        parameters: {
            query: {
                /** @description A directory on this machine. `fleet.contests` of config.yaml lists which are allowed. */
                directory: string;
                /** @description The brief and the repeat: `parse-dates/2`. */
                run: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
        };
    };
    planSuiteDetection: {
        parameters: {
            query: {
                /** @description The difference to find, in points of 100. */
                detect?: number;
                /** @description A directory on this machine. `fleet.contests` of config.yaml lists which are allowed. */
                directory: string;
                /** @description The standard deviation of differences over briefs; by default from the results so far. */
                sd?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SuiteDetection"];
                };
            };
        };
    };
    listSuiteLeftovers: {
        parameters: {
            query: {
                /** @description A directory on this machine. `fleet.contests` of config.yaml lists which are allowed. */
                directory: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SuiteCleaned"];
                };
            };
        };
    };
    planSuite: {
        parameters: {
            query: {
                /** @description A directory on this machine. `fleet.contests` of config.yaml lists which are allowed. */
                directory: string;
                /** @description Plans only this brief. */
                only?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SuitePlan"];
                };
            };
        };
    };
    refineSuite: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description A directory on this machine. `fleet.contests` of config.yaml lists which are allowed. */
                    directory: string;
                    /**
                     * @description The names of the briefs; empty: all.
                     * @default []
                     */
                    only?: string[];
                    /** @description Cells at the same time. */
                    parallel?: number;
                    /**
                     * @description The participants that run again; empty: all. The others keep their seals.
                     * @default []
                     */
                    participants?: string[];
                };
            };
        };
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SuiteWork"];
                };
            };
        };
    };
    rejudgeSuite: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description A directory on this machine. `fleet.contests` of config.yaml lists which are allowed. */
                    directory: string;
                    /**
                     * @description The names of the briefs; empty: all.
                     * @default []
                     */
                    only?: string[];
                    /** @description Cells at the same time. */
                    parallel?: number;
                };
            };
        };
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SuiteWork"];
                };
            };
        };
    };
    getSuiteReport: {
        parameters: {
            query: {
                /** @description A directory on this machine. `fleet.contests` of config.yaml lists which are allowed. */
                directory: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SuiteSummary"];
                };
            };
        };
    };
    getSuiteReportPage: {
        parameters: {
            query: {
                /** @description A directory on this machine. `fleet.contests` of config.yaml lists which are allowed. */
                directory: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
        };
    };
    getSuiteStatus: {
        parameters: {
            query: {
                /** @description A directory on this machine. `fleet.contests` of config.yaml lists which are allowed. */
                directory: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SuiteStatus"];
                };
            };
        };
    };
    getSuiteWork: {
        parameters: {
            query: {
                /** @description A directory on this machine. `fleet.contests` of config.yaml lists which are allowed. */
                directory: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Null if none was started. */
                        work: components["schemas"]["SuiteWork"] | null;
                    };
                };
            };
        };
    };
    createTicket: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        expiresInSeconds: number;
                        /** @description The subprotocols to open the WebSocket with; one of them is the ticket. */
                        protocols: string[];
                    };
                };
            };
        };
    };
    listTokens: {
        parameters: {
            query?: {
                /** @description `next` of the previous page. */
                cursor?: string;
                /** @description Maximum number of items. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The id of the last event that is reflected in the items. Follow the events after it. */
                        asOf: number;
                        items: components["schemas"]["Token"][];
                        /** @description The cursor of the next page; null on the last page. */
                        next: string | null;
                    };
                };
            };
        };
    };
    createToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description When it expires; null if never.
                     * @default null
                     */
                    expiresAt?: string | null;
                    name: string;
                    /** @enum {string} */
                    role: "owner" | "operator" | "viewer" | "borrower";
                };
            };
        };
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        facts: components["schemas"]["Token"];
                        /** @description The secret. */
                        token: string;
                    };
                };
            };
        };
    };
    revokeToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Its name or id. */
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Token"];
                };
            };
        };
    };
    getUsage: {
        parameters: {
            query?: {
                /** @description What makes a group. */
                by?: "agent" | "kind" | "model" | "day";
                /** @description The first day; 30 days before the last by default. */
                from?: string;
                /** @description The last day; today by default. */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        from: string;
                        items: {
                            cachedInput: number;
                            /** @description The cost that agents reported. */
                            costUsd: number;
                            /** @description Tokens, including cached ones. */
                            input: number;
                            /** @description Number of jobs that have ended. */
                            jobs: number;
                            /** @description The name of the agent, the kind or the model (empty: not reported), or the day. */
                            name: string;
                            output: number;
                            toolCalls: number;
                            /** @description Number of these jobs whose agent did not report a cost. */
                            unpriced: number;
                            wallMs: number;
                        }[];
                        to: string;
                        total: {
                            cachedInput: number;
                            /** @description The cost that agents reported. */
                            costUsd: number;
                            /** @description Tokens, including cached ones. */
                            input: number;
                            /** @description Number of jobs that have ended. */
                            jobs: number;
                            output: number;
                            toolCalls: number;
                            /** @description Number of these jobs whose agent did not report a cost. */
                            unpriced: number;
                            wallMs: number;
                        };
                    };
                };
            };
        };
    };
    getUsageDays: {
        parameters: {
            query?: {
                /** @description What makes a series. */
                by?: "agent" | "kind" | "model";
                /** @description The first day; 30 days before the last by default. */
                from?: string;
                /** @description The last day; today by default. */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        from: string;
                        items: {
                            costUsd: number;
                            day: string;
                            jobs: number;
                            /** @description The name of the agent, the kind or the model (empty: not reported); null for all others. */
                            name: string | null;
                            tokens: number;
                        }[];
                        to: string;
                    };
                };
            };
        };
    };
    listVault: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            bytes: number;
                            createdAt: string;
                            hosts: string[];
                            name: string;
                            /** @description Where it goes in a request; if absent, where the agent puts it. */
                            place?: {
                                /** @enum {string} */
                                in: "header";
                                name: string;
                                scheme?: string;
                            } | {
                                /** @enum {string} */
                                in: "query";
                                name: string;
                            } | {
                                /** @enum {string} */
                                in: "basic";
                                user: string;
                            };
                            updatedAt: string;
                        }[];
                        /** @description When it locks again; null if the keyring opens it. */
                        until: string | null;
                    };
                };
            };
        };
    };
    setSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the secret. */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Hosts that it may be sent to; by default, a stored secret keeps its hosts. */
                    hosts?: string[];
                    /** @description Where it goes in a request, for example `header:x-api-key`; by default, where the agent puts it. */
                    place?: string;
                    value: string;
                };
            };
        };
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        bytes: number;
                        createdAt: string;
                        hosts: string[];
                        name: string;
                        /** @description Where it goes in a request; if absent, where the agent puts it. */
                        place?: {
                            /** @enum {string} */
                            in: "header";
                            name: string;
                            scheme?: string;
                        } | {
                            /** @enum {string} */
                            in: "query";
                            name: string;
                        } | {
                            /** @enum {string} */
                            in: "basic";
                            user: string;
                        };
                        updatedAt: string;
                    };
                };
            };
        };
    };
    deleteSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the secret. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        removed: string;
                        /** @enum {number} */
                        schemaVersion: 1;
                    };
                };
            };
        };
    };
    lockVault: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        directory: string;
                        /** @enum {boolean} */
                        locked: true;
                        /** @enum {number} */
                        schemaVersion: 1;
                        /** @enum {string} */
                        was: "unlocked" | "locked";
                    };
                };
            };
        };
    };
    unlockVault: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description For how long; at most 24h.
                     * @default 8h
                     */
                    for?: string;
                    passphrase: string;
                };
            };
        };
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        file: string;
                        /** @description Whether the file had been deleted and was written again. */
                        restored: boolean;
                        /** @enum {number} */
                        schemaVersion: 1;
                        until: string;
                    };
                };
            };
        };
    };
    listWebhooks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Webhook"][];
                    };
                };
            };
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The kinds of events that are sent.
                     * @default [
                     *       "job.ended",
                     *       "job.waiting",
                     *       "job.budget"
                     *     ]
                     */
                    events?: ("fleet.paused" | "fleet.resumed" | "agent.created" | "agent.edited" | "agent.approved" | "agent.refused" | "agent.started" | "agent.stopped" | "agent.archived" | "agent.deleted" | "job.queued" | "job.changed" | "job.started" | "job.running" | "job.waiting" | "job.budget" | "job.cancelling" | "job.ended" | "job.removed" | "schedule.created" | "schedule.edited" | "schedule.paused" | "schedule.resumed" | "schedule.due" | "schedule.skipped" | "schedule.deleted" | "hook.created" | "hook.deleted" | "webhook.created" | "webhook.paused" | "webhook.resumed" | "webhook.deleted" | "discord.connected" | "discord.disconnected" | "discord.added" | "discord.removed" | "lease.created" | "lease.revoked" | "lease.ended" | "topic.refused" | "session.opened" | "session.ended" | "token.created" | "token.revoked")[];
                    name: string;
                    /**
                     * @description The secret that signs deliveries, for example that of a hook; null for a new one.
                     * @default null
                     */
                    secret?: string | null;
                    /**
                     * Format: uri
                     * @description https or http, at a public address.
                     */
                    url: string;
                };
            };
        };
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        createdAt: string;
                        events: string[];
                        id: string;
                        /** @description The newest outcome; null if nothing has been sent yet. */
                        last: {
                            /** @description The time of the last attempt. */
                            at: string;
                            attempts: number;
                            /** @description The id of the event; for skipped events, of the last one. */
                            event: number;
                            kind: string | null;
                            /** @description When it will be tried again. */
                            nextAt: string | null;
                            /** @description Why it was not accepted; null if it was. */
                            problem: string | null;
                            /**
                             * @description waiting: will be tried again · given-up: will not · skipped: the events were deleted before they were sent.
                             * @enum {string}
                             */
                            state: "delivered" | "waiting" | "given-up" | "skipped";
                            /** @description The HTTP status of the last answer; null if there was none. */
                            status: number | null;
                        } | null;
                        name: string;
                        paused: boolean;
                        secret: string;
                        /** @description Only owners see the path, because many receivers use it to authenticate senders. */
                        url: string;
                    };
                };
            };
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Its name or id. */
                webhook: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        createdAt: string;
                        events: string[];
                        id: string;
                        /** @description The newest outcome; null if nothing has been sent yet. */
                        last: {
                            /** @description The time of the last attempt. */
                            at: string;
                            attempts: number;
                            /** @description The id of the event; for skipped events, of the last one. */
                            event: number;
                            kind: string | null;
                            /** @description When it will be tried again. */
                            nextAt: string | null;
                            /** @description Why it was not accepted; null if it was. */
                            problem: string | null;
                            /**
                             * @description waiting: will be tried again · given-up: will not · skipped: the events were deleted before they were sent.
                             * @enum {string}
                             */
                            state: "delivered" | "waiting" | "given-up" | "skipped";
                            /** @description The HTTP status of the last answer; null if there was none. */
                            status: number | null;
                        } | null;
                        name: string;
                        /** @description The newest 50, newest first. */
                        outcomes: {
                            /** @description The time of the last attempt. */
                            at: string;
                            attempts: number;
                            /** @description The id of the event; for skipped events, of the last one. */
                            event: number;
                            kind: string | null;
                            /** @description When it will be tried again. */
                            nextAt: string | null;
                            /** @description Why it was not accepted; null if it was. */
                            problem: string | null;
                            /**
                             * @description waiting: will be tried again · given-up: will not · skipped: the events were deleted before they were sent.
                             * @enum {string}
                             */
                            state: "delivered" | "waiting" | "given-up" | "skipped";
                            /** @description The HTTP status of the last answer; null if there was none. */
                            status: number | null;
                        }[];
                        paused: boolean;
                        /** @description Only owners see the path, because many receivers use it to authenticate senders. */
                        url: string;
                    };
                };
            };
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Its name or id. */
                webhook: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    pauseWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Its name or id. */
                webhook: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
        };
    };
    resumeWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Its name or id. */
                webhook: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Its name or id. */
                webhook: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Why it was not accepted; null if it was. */
                        problem: string | null;
                        /** @description The HTTP status of the last answer; null if there was none. */
                        status: number | null;
                    };
                };
            };
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        ok: true;
                    };
                };
            };
        };
    };
    getMetrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Metrics. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
        };
    };
    getReadiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What went wrong. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        ok: true;
                    };
                };
            };
        };
    };
}
