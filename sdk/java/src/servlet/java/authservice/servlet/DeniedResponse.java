package authservice.servlet;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.io.PrintWriter;

/** Answers no denied request with a success, and knows whether it was answered. */
final class DeniedResponse extends HttpServletResponseWrapper {
    private final int status;
    private boolean isAnswered;

    DeniedResponse(HttpServletResponse response, int status) {
        super(response);
        this.status = status;
        response.setStatus(status);
    }

    boolean isAnswered() {
        return isAnswered || isCommitted();
    }

    private int denied(int given) {
        isAnswered = true;
        return given < 300 ? status : given;
    }

    @Override
    public void setStatus(int given) {
        super.setStatus(denied(given));
    }

    /** Overrides the one of Servlet 5, which Servlet 6 has no more. */
    public void setStatus(int given, String message) {
        setStatus(given);
    }

    @Override
    public void sendError(int given) throws IOException {
        super.sendError(denied(given));
    }

    @Override
    public void sendError(int given, String message) throws IOException {
        super.sendError(denied(given), message);
    }

    @Override
    public void sendRedirect(String location) throws IOException {
        isAnswered = true;
        super.sendRedirect(location);
    }

    @Override
    public ServletOutputStream getOutputStream() throws IOException {
        isAnswered = true;
        return super.getOutputStream();
    }

    @Override
    public PrintWriter getWriter() throws IOException {
        isAnswered = true;
        return super.getWriter();
    }

    @Override
    public void reset() {
        super.reset();
        super.setStatus(status);
        isAnswered = false;
    }
}
