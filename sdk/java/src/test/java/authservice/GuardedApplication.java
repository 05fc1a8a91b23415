package authservice;

import authservice.servlet.AccessFilter;
import authservice.spring.AccessOncePerRequestFilter;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.time.Duration;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;

/** An application in Tomcat behind filters, whose users name themselves in a header in place of a login. */
final class GuardedApplication implements AutoCloseable {
    private static final HttpClient BROWSER = HttpClient.newHttpClient();

    private final Tomcat tomcat = new Tomcat();

    GuardedApplication(Filter... filters) throws IOException, LifecycleException {
        this(0, filters);
    }

    /** Listens at this port; 0 for any. Later versions of Tomcat deprecate the only way that all versions have. */
    @SuppressWarnings("deprecation")
    GuardedApplication(int port, Filter... filters) throws IOException, LifecycleException {
        var folder = Files.createTempDirectory("auth-service-tomcat-").toFile();
        folder.deleteOnExit();
        tomcat.setBaseDir(folder.getPath());
        tomcat.setSilent(true);
        tomcat.setPort(port);
        tomcat.getConnector().setProperty("address", "127.0.0.1");
        var context = tomcat.addContext("", new File(folder, ".").getPath());
        for (var i = 0; i < filters.length; i++) {
            var name = "filter" + i;
            var definition = new FilterDef();
            definition.setFilterName(name);
            definition.setFilter(filters[i]);
            context.addFilterDef(definition);
            var mapping = new FilterMap();
            mapping.setFilterName(name);
            mapping.addURLPattern("/*");
            mapping.setDispatcher(DispatcherType.REQUEST.name());
            mapping.setDispatcher(DispatcherType.FORWARD.name());
            context.addFilterMap(mapping);
        }
        Tomcat.addServlet(context, "welcome", new Welcome());
        context.addServletMappingDecoded("/*", "welcome");
        Tomcat.addServlet(context, "forward", new Forward());
        context.addServletMappingDecoded("/forward", "forward");
        tomcat.start();
    }

    /**
     * Serves one guarded route for editors until it is killed: with the argument spring by Spring's filter, with open for all users,
     * also in an outage.
     */
    public static void main(String[] args) throws Exception {
        var env = System.getenv();
        var key = new Key(env.get("AUTH_KEY_ID"), env.get("AUTH_SECRET"));
        var options = new ClientOptions(env.get("AUTH_URL"), key).timeout(Duration.ofSeconds(2)).circuit(3, Duration.ofMillis(500));
        var guard = new Guard(new Client(options));
        var chosen = args[0].equals("open") ? guard.whenUnavailable(Guard.WhenUnavailable.ALLOW) : guard.requiring("editor");
        var filter = new AccessFilter(chosen, request -> request.getHeader("X-User"));
        var shape = args[0].equals("spring") ? new AccessOncePerRequestFilter(filter) : filter;
        new GuardedApplication(Integer.parseInt(env.get("PORT")), shape).tomcat.getServer().await();
    }

    /** Must only be reached by admitted requests. */
    private static final class Welcome extends HttpServlet {
        private static final long serialVersionUID = 1;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.getWriter().print("welcome " + AccessFilter.decisionOf(request).userId());
        }
    }

    private static final class Forward extends HttpServlet {
        private static final long serialVersionUID = 1;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException, ServletException {
            request.getRequestDispatcher("/").forward(request, response);
        }
    }

    /** Asks as a user; null for none. */
    HttpResponse<String> ask(String userId) throws IOException, InterruptedException {
        return ask("/", userId);
    }

    HttpResponse<String> ask(String path, String userId) throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + tomcat.getConnector().getLocalPort() + path));
        if (userId != null) request.header("X-User", userId);
        return BROWSER.send(request.build(), BodyHandlers.ofString());
    }

    @Override
    public void close() throws LifecycleException {
        tomcat.stop();
        tomcat.destroy();
    }
}
